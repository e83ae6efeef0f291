
ByJ€ØÊö·FÈ&ÌUSÊ±ÖöQÑK×QðNfHdÓoÙ‚ÜHÖ‚ËM¿ïÈ{Ì#TÏª×PAJsQ(N«EáÔÚ»Äw×ÌNÂ™ÉÐÌSRyÑïV#L±HQ`MAÖžÚêÍSØkÌ{ÄCÊ%ÍaPlÓöUÉ;AFªP˜L.R>×5ÛRÑêØ