BxJýãk¶
oùQ¨(s‰F