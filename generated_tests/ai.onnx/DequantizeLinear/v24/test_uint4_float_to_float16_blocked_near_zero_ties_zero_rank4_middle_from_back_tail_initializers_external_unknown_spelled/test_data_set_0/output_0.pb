
ByJ°>IG4DB
<JE?@@:HF=$K<8#F<JE?@
@:HF=K<8FD>I&G4D%B<(J"E2?@@/: H2F+=>K$<&8:F(D=>4IJG,4@&:H)F$=4K< 81F"D4>,I@G&4&D;B(<>J5EL?,@.@F:0HIF>=XK4<48PF6DS>GIeG:4<D[B><^JOENK.<.8GF0DJ>?IZG446DRB8<UJHEf?<@<@\:>H_FQ=sKB<D8gFFDj>YIGJ4JDqBL<tJbE‹?P@R@|:THFk=—KX<X8†FZD‰>tI¤G^4`D‘Bb<”J|E°?f@f@›:TD€>lI™GX4ZDˆB\<‹JuE¥?`@`@’:bH•F~=²Kf<h8FjD >†I¾Gn4nD§Bp<ªJEÊ?t@v@²:xHµF˜=ÖK|<hDžBj<¡JˆEÀ?n@p@©:rH¬F=ÌKv<v8³FxD¶>™IØG|4~D¾B€<ÁJ¢Eä?„@„@È:†HËF«=ñKŠ<Œ8ÓFŽDÖ>³IÚ?~@~@¿:€HÂF£=æK„<†8ÊFˆDÍ>¬IòGŒ4ŒDÔBŽ<×JµEÿ?’@”@ß:–HâF½=Lš<š8éFœDì>ÆIH 4¢DôB¤<