
ByJ°>I
G4DB
<JE?@@:HF=#K<8#F<JE?@
@:HF=K<8FD>I&G4D$B<'J"E1?@@/: H2F*=>K$<&89F(D<>4IJG,4@&:H)F#=4K< 80F"D3>,I?G&4&D;B(<>J4EL?,@.@E:0HHF>=XK4<48PF6DS>FIeG:4<DZB><]JOEMK.<.8GF0DJ>>IZG446DQB8<TJHEf?<@<@\:>H_FP=sKB<D8fFFDi>YI~GJ4JDqBL<tJbE‹?P@R@{:TH~Fk=–KX<X8†FZD‰>sI¤G^4`DBb<“J|E¯?f@f@›:TD€>lI™GX4ZD‡B\<ŠJuE¤?`@`@’:bH•F}=²Kf<h8œFjDŸ>†I½Gn4nD§Bp<ªJŽEÊ?t@v@±:xH´F˜=ÖK|<hDžBj<¡J‡EÀ?n@p@¨:rH«F=ËKv<v8³FxD¶>˜IØG|4~D½B€<ÀJ¢Eä?„@„@È:†HËFª=ñKŠ<Œ8ÒFŽDÕ>³IÙ?~@~@¿:€HÂF¢=æK„<†8ÉFˆDÌ>¬IòGŒ4ŒDÔBŽ<×J´Eÿ?’@”@Þ:–HáF½=Lš<š8éFœDì>ÆIH 4¢DóB¤<