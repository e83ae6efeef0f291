BxJ.ÊehœÓ¤
CAáx