//! Abbreviations of Russian: never the end, before a number, open, closing.

pub(super) const TABLE: &str = "\
им ул пр т.е т.к т.н напр см ср проф акад доц гр тов св|\
с стр рис табл гл п пп ст ч № тел кв д|\
г гг в вв др т.д т.п н.э руб коп тыс млн млрд мин сек янв февр апр авг сент окт нояб дек|";
