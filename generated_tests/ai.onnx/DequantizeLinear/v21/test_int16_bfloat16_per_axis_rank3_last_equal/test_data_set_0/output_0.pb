ByJ€‰D—GD|Å0E¢ÆÆTÄ^DƒG´ÃŠÅ$EòÆìE™Ä+D]G¢Ä–ÅE"ÇÏEÈÄðC4GÅÆD
EJÇ²E÷ÄŠCGFÅ—DûDrÇ”EÅŽBÇF€ÅPDáDÇnE+Å]ElFÅäCÈD¢Ç4EBÅPE–E»Å B®D´GóDZÅ