//! Units of measure: their dimensions, and conversions that are exact.

/// A unit: its dimension, its factor to the dimension's base unit, and the offset that is added after that.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    pub(super) dimension: &'static str,
    pub(super) factor: f64,
    pub(super) offset: f64,
}

/// Names, dimension, factor. The case of short names matters, that of long ones does not.
const UNITS: [(&str, &str, f64); 58] = [
    ("%|percent|percents|prozent|procent|pourcent", "%", 1.0),
    ("m|metre|metres|meter|meters|mètre|mètres|metro|metros|metri", "length", 1.0),
    ("km|kilometre|kilometres|kilometer|kilometers|kilomètre|kilomètres", "length", 1000.0),
    ("cm|centimetre|centimetres|centimeter|centimeters", "length", 0.01),
    ("mm|millimetre|millimetres|millimeter|millimeters", "length", 0.001),
    ("µm|μm|micrometre|micrometres|micrometer|micrometers|micron|microns", "length", 1e-6),
    ("nm|nanometre|nanometres|nanometer|nanometers", "length", 1e-9),
    ("mi|mile|miles|meile|meilen", "length", 1609.344),
    ("yd|yard|yards", "length", 0.9144),
    ("ft|foot|feet|fuß", "length", 0.3048),
    ("inch|inches|zoll", "length", 0.0254),
    ("g|gram|grams|gramme|grammes|gramm", "mass", 1.0),
    ("kg|kilogram|kilograms|kilogramme|kilogrammes|kilogramm|kilo|kilos", "mass", 1000.0),
    ("mg|milligram|milligrams|milligramm", "mass", 0.001),
    ("µg|μg|microgram|micrograms", "mass", 1e-6),
    ("t|tonne|tonnes|tonnen", "mass", 1e6),
    ("lb|lbs|pounds", "mass", 453.59237),
    ("oz|ounce|ounces", "mass", 28.349523125),
    ("l|L|litre|litres|liter|liters", "volume", 1.0),
    ("ml|mL|millilitre|millilitres|milliliter|milliliters", "volume", 0.001),
    ("s|sec|secs|seconds|sekunden|secondes|segundos", "time", 1.0),
    ("ms|millisecond|milliseconds", "time", 0.001),
    ("min|mins|minute|minutes|minuten|minutos", "time", 60.0),
    ("h|hr|hrs|hour|hours|stunde|stunden|heure|heures|hora|horas", "time", 3600.0),
    ("day|days|tag|tage|tagen|jour|jours|día|días", "time", 86_400.0),
    ("week|weeks|woche|wochen|semaine|semaines|semana|semanas", "time", 604_800.0),
    ("month|months|monat|monate|monaten|mois|mes|meses", "months", 1.0),
    ("year|years|jahr|jahre|jahren|an|ans|année|années|año|años", "months", 12.0),
    ("decade|decades|jahrzehnt|jahrzehnte", "months", 120.0),
    ("century|centuries|jahrhunderte", "months", 1200.0),
    ("°C|℃|celsius", "temperature", 1.0),
    ("K|kelvin", "kelvin", 1.0),
    ("$|US$|USD|dollar|dollars", "$", 1.0),
    ("€|EUR|euro|euros", "€", 1.0),
    ("£|GBP|sterling", "£", 1.0),
    ("¥|JPY|yen", "¥", 1.0),
    ("bit|bits", "bit", 1.0),
    ("B|byte|bytes", "byte", 1.0),
    ("KB|kB|kilobyte|kilobytes", "KB", 1.0),
    ("KiB|kibibyte|kibibytes", "byte", 1024.0),
    ("MB|megabyte|megabytes", "MB", 1.0),
    ("MiB|mebibyte|mebibytes", "byte", 1_048_576.0),
    ("GB|gigabyte|gigabytes", "GB", 1.0),
    ("GiB|gibibyte|gibibytes", "byte", 1_073_741_824.0),
    ("TB|terabyte|terabytes", "TB", 1.0),
    ("Hz|hertz", "frequency", 1.0),
    ("kHz|kilohertz", "frequency", 1e3),
    ("MHz|megahertz", "frequency", 1e6),
    ("GHz|gigahertz", "frequency", 1e9),
    ("W|watt|watts", "power", 1.0),
    ("kW|kilowatt|kilowatts", "power", 1e3),
    ("MW|megawatt|megawatts", "power", 1e6),
    ("GW|gigawatt|gigawatts", "power", 1e9),
    ("ha|hectare|hectares", "area", 10_000.0),
    ("acre|acres", "acre", 1.0),
    ("V|volt|volts", "voltage", 1.0),
    ("km²|km2", "area", 1e6),
    ("m²|m2", "area", 1.0),
];

/// Fahrenheit is the only unit with another zero.
const FAHRENHEIT: Unit = Unit { dimension: "temperature", factor: 5.0 / 9.0, offset: -160.0 / 9.0 };

/// Names of more letters are matched whatever their case.
const SYMBOL_LETTERS: usize = 3;

/// The unit of that name.
pub(super) fn unit(name: &str) -> Option<Unit> {
    if matches!(name, "°F" | "℉") || name.eq_ignore_ascii_case("fahrenheit") {
        return Some(FAHRENHEIT);
    }
    let lower = name.to_lowercase();
    let is_word = name.chars().count() > SYMBOL_LETTERS;
    let named = |names: &str| names.split('|').any(|known| known == name || (is_word && known == lower));
    let (_, dimension, factor) = UNITS.iter().find(|(names, ..)| named(names))?;
    Some(Unit { dimension, factor: *factor, offset: 0.0 })
}

/// The factor of a multiplier word after a number.
pub(super) fn multiplier(word: &str) -> Option<f64> {
    Some(match word.to_lowercase().as_str() {
        "hundred" | "hundreds" => 1e2,
        "thousand" | "thousands" | "tausend" | "mille" | "mil" => 1e3,
        "万" | "萬" => 1e4,
        "million" | "millions" | "mio" | "millionen" | "millones" | "milioni" | "milhões" | "mln" => 1e6,
        "亿" | "億" => 1e8,
        "billion" | "billions" | "bn" | "mrd" | "milliarde" | "milliarden" | "milliard" | "milliards" | "miliardi" => {
            1e9
        }
        "trillion" | "trillions" => 1e12,
        "dozen" => 12.0,
        _ => return None,
    })
}
