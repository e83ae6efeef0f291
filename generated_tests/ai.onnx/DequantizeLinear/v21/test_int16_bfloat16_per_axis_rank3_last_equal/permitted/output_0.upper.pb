ByJ€‰D—GD|Å0E¡ÆÆTÄ^DƒG´ÃŠÅ$EòÆìE™Ä+D]G¢Ä–ÅE!ÇÏEÈÄðC4GÅÇD
EJÇ²E÷ÄŠCGFÅ˜DûDrÇ”EÅŽBÇF€ÅQDáDÇnE+Å]ElFÅåCÈD¡Ç4EBÅPE–EºÅ B®D´GóDZÅ