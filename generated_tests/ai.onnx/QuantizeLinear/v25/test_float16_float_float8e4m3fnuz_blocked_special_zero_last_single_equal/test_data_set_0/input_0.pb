
BxJ fºJjÙ©n8ÈbW'f6ÆjU%n4ÄbS#