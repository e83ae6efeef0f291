ByJ€
$#()(-.-23787==<BBAFFLLKQQPVVU[Z_`_eedijoonstsxyx}}		!"''&,,+11065;;:@@?DEDJIOONSTSYY^^]bcbhhgllrrqwwv||{  $$**)//.44398=>=BCBHHLMLRRQWWV\[`a`ffejkjpotutyzy~

	##"('--,22177;<;AA@FFEKJPPOTUTZZY_