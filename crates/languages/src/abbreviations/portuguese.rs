//! Abbreviations of Portuguese: never the end, before a number, open, closing.

pub(super) const TABLE: &str = "\
Sr Sra Srs Sras Dr Dra Drs D Prof Profa Profª Eng Exmo Exma Sto Sta V p.ex ex aprox|\
p pág págs pp n nº núm art arts cap vol fig inc tel|\
a.C d.C Exa Exas jan fev abr jun jul ago set out nov dez Ltda Cia|\
etc";
