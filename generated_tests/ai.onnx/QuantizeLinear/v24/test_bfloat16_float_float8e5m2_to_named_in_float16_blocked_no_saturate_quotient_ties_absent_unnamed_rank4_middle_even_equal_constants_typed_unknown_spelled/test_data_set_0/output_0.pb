ByJ€

$#()(-.-33887<=<ABAGFKLKPQPVVU[Z``_eedjjnonsts|yx!! %&*+*00/55499>?>CDCHIHNMRSRWXW]]abaggfklkqpvvu{{z
	##"(('-,121776<<;A@FFEJKJOPUUTZZY^_^dciihnnmrsr|w %%$**)./.43998>>=BCGHGMMLRRQWV[\[aa`efe