ByJxÅÄ))(..-23887==<BBAÄÄLLKPQPVVU[Z``_eedÄÅnonttsxyx~}


ÄÅÄ"#(('--,ÄÅÄ66<<;@A@FFEKJPPOÄÅÄZZ^_^ddchihnmr