ByJxÅÄ()(-.-23787<=<BBAÄÄKLKPQPVVU[Z_`_dedÄÅnonttsxxx}}

	ÄÅÄ"#'(',-,ÄÅÄ66;<;@A@FFEKJOPOÄÅÄYZ^_^ddchhhmmr