//! Abbreviations of Spanish: never the end, before a number, open, closing.

pub(super) const TABLE: &str = "\
Sr Sra Srta Sres Sras Dr Dra Dres D Dña Ud Uds Vd Vds Prof Profa Lic Ing Arq Gral Mons Sto Sta Avda Av Ctra Pza p.ej ej EE aprox|\
p pág págs pp n núm núms nº art arts cap vol fig apdo sec t tel|\
UU a.C d.C ene feb abr ago sept oct nov dic|\
etc";
