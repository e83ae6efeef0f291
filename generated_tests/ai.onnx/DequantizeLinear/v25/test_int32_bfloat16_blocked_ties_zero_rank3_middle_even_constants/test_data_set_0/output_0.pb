ByJ░fо1Oyк╪оVO▓н^N·NоN|н^о╖NнмйORM3н┘OtнNjM├о4OСкXо\N=мsOЪM╚н═M;но*MоЮNЁKум
O#нNcN╜нкMoл│о`Nqм┐OFMзм1O└но%M#оНN╛к┘о∙NSнNENпнтMGноhM∙м┼OлLн