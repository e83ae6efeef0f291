ByJ░eо1Oxк╪оVO▓н^N·NоN|н^о╖NнмйORM2н┘OtнNjM├о4OСкXо\N=мsOЪM╙н═M:но+MоЮNЁKум
O#нNcN╜нкMoл│о`Npм┐OGMым1O└но%M"оНN╚к┘о∙NSнNENпнтMGноhM∙м▀OлLн