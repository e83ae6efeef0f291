ByJ<
q'/tgsw^W·÷sWÿupÇ÷—ðkñVpw÷pzÁO wWÏ}òwfÏçuwç—