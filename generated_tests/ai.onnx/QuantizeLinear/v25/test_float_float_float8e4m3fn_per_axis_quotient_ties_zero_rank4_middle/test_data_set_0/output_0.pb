ByJxÅÄ()(..-23887<=<BBAÄÄLLKPQPVVU[Z``_dedÄÅnonttsxxx~}


ÄÅÄ"#((',-,ÄÅÄ66<<;@A@FFEKJPPOÄÅÄZZ^_^ddchhhnmr