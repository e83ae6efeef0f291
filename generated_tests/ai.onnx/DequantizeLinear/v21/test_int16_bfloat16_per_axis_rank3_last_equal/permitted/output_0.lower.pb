ByJ€‰D—GD|Å0E¢ÆÆUÄ^DƒG´ÃŠÅ$EòÆìE™Ä+D]G¢Ä–ÅE"ÇÏEÈÄðC4GÅÆD
EJÇ²E÷ÄŠCGFÅ—DúDrÇ”EÅŽBÇF€ÅPDáDÇnE+Å]ElFžÅäCÇD¢Ç4ECÅPE–E»Å B®D´GóDZÅ