//! Abbreviations of German: never the end, before a number, open, closing; and that ordinals end in a full stop.

pub(super) const TABLE: &str = "\
Dr Prof Dipl Dipl.-Ing Ing Hr Fr Nr Nrn St Frhr Hrsg z.B d.h i.d.R i.e.S i.w.S u.U z.T z.Z z.Hd s.o s.u o.g bzw vgl sog ca inkl exkl zzgl abzgl \
ggf evtl lt allg bspw insb geb gest gegr verh Mio Mrd|\
S Abs Art Abb Tab Aufl Bd Bde Kap Ziff Anm Rn Std Min Sek min max mind Tel Az Jg H|\
usw etc u.a u.ä o.ä u.v.m u.s.w v.Chr n.Chr Chr Jh Jhd Jan Feb Mär Apr Jun Jul Aug Sep Sept Okt Nov Dez Mo Di Mi Do Str str Co e.V|\
|ordinals";
