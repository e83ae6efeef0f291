ByJ
’7zÄBåh£G