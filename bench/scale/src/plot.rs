//! Plots of the growth, as SVG: a file a measure, rows in its left half, packs in its right one.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::growth::{Cost, Growth, Point};

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 260.0;
/// Room for the numbers left of a plot and below it, and for the legend above.
const LEFT: f64 = 60.0;
const BELOW: f64 = 44.0;
const ABOVE: f64 = 52.0;

/// A line: its name, its colour and dashes, and its height at a point.
struct Line {
    name: &'static str,
    look: &'static str,
    value: fn(&Point) -> f64,
}

/// A measure: its file, its title, its lines.
struct Plot {
    file: &'static str,
    title: &'static str,
    lines: Vec<Line>,
}

const SOLID: &str = "stroke=\"#1f6feb\"";
const DASHED: &str = "stroke=\"#1f6feb\" stroke-dasharray=\"6 4\"";
const OTHER: &str = "stroke=\"#bc4c00\"";
const OTHER_DASHED: &str = "stroke=\"#bc4c00\" stroke-dasharray=\"6 4\"";

fn plots() -> [Plot; 4] {
    macro_rules! cold {
        ($part:expr) => {{
            const PART: fn(&Cost) -> f64 = $part;
            vec![
                Line { name: "p50", look: SOLID, value: |point| PART(&point.cold.as_asked.p50) },
                Line { name: "p95", look: DASHED, value: |point| PART(&point.cold.as_asked.p95) },
                Line { name: "misspelt p50", look: OTHER, value: |point| PART(&point.cold.misspelt.p50) },
                Line { name: "misspelt p95", look: OTHER_DASHED, value: |point| PART(&point.cold.misspelt.p95) },
            ]
        }};
    }
    let ms = vec![
        Line { name: "cold p50", look: SOLID, value: |point| point.cold.as_asked.p50.ms },
        Line { name: "cold p95", look: DASHED, value: |point| point.cold.as_asked.p95.ms },
        Line { name: "warm p50", look: OTHER, value: |point| point.warm.as_asked.list.p50_ms },
        Line { name: "warm p95", look: OTHER_DASHED, value: |point| point.warm.as_asked.list.p95_ms },
    ];
    [
        Plot { file: "bytes", title: "Kilobytes of a cold question", lines: cold!(|cost| cost.bytes / 1e3) },
        Plot { file: "requests", title: "Requests of a cold question", lines: cold!(|cost| cost.requests) },
        Plot { file: "rounds", title: "Dependent rounds of a cold question", lines: cold!(|cost| cost.rounds) },
        Plot { file: "ms", title: "Milliseconds of a question, native, without a network", lines: ms },
    ]
}

/// Draws `growth` into `folder`: `growth-bytes.svg` and so on.
pub(crate) fn draw(growth: &Growth, folder: &Path) -> Result<()> {
    for plot in plots() {
        let file = folder.join(format!("growth-{}.svg", plot.file));
        fs::write(&file, plot.svg(growth)).with_context(|| format!("writing {}", file.display()))?;
    }
    Ok(())
}

impl Plot {
    fn svg(&self, growth: &Growth) -> String {
        let all = || growth.by_rows.iter().chain(&growth.by_packs);
        let highest = self.lines.iter().flat_map(|line| all().map(line.value)).fold(0.0, f64::max);
        let top = round_up(highest);
        let (width, height, title) = (2.0 * (LEFT + WIDTH) + 30.0, ABOVE + HEIGHT + BELOW, self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        );
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{title}</text>");
        self.legend(&mut svg);
        self.half(&mut svg, LEFT, "rows, in one pack", &growth.by_rows, top, |point| point.rows as f64);
        let right = 2.0 * LEFT + WIDTH;
        self.half(&mut svg, right, "packs of all rows", &growth.by_packs, top, |point| f64::from(point.packs));
        svg + "</svg>\n"
    }

    fn legend(&self, svg: &mut String) {
        for (at, Line { name, look, .. }) in self.lines.iter().enumerate() {
            let x = LEFT + 130.0 * at as f64;
            let _ = writeln!(
                svg,
                "<line x1=\"{x}\" y1=\"34\" x2=\"{}\" y2=\"34\" stroke-width=\"2\" {look}/><text x=\"{}\" y=\"38\">{name}</text>",
                x + 24.0,
                x + 30.0
            );
        }
    }

    /// One half: a frame, numbers at its edges, a line of each kind. Steps to the right multiply.
    fn half(&self, svg: &mut String, left: f64, below: &str, points: &[Point], top: f64, size: fn(&Point) -> f64) {
        let logs: Vec<f64> = points.iter().map(|point| size(point).max(1.0).ln()).collect();
        let (first, last) = (logs.first().copied().unwrap_or(0.0), logs.last().copied().unwrap_or(1.0));
        let x = |log: f64| left + WIDTH * (log - first) / (last - first).max(1e-9);
        let y = |value: f64| ABOVE + HEIGHT * (1.0 - value / top);
        for step in 0..=4 {
            let value = top * f64::from(step) / 4.0;
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{value}</text>",
                y(value),
                left + WIDTH,
                left - 6.0,
                y(value) + 4.0
            );
        }
        for (point, log) in points.iter().zip(&logs) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                x(*log),
                ABOVE + HEIGHT + 18.0,
                size(point)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{below}</text>",
            left + WIDTH / 2.0,
            ABOVE + HEIGHT + 36.0
        );
        for Line { look, value, .. } in &self.lines {
            let path: Vec<String> =
                points.iter().zip(&logs).map(|(point, log)| format!("{:.1},{:.1}", x(*log), y(value(point)))).collect();
            let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke-width=\"2\" {look}/>", path.join(" "));
        }
    }
}

/// A number not below `value` that a quarter of is short: 4, 8, 12, 20 or 40 times a power of ten.
fn round_up(value: f64) -> f64 {
    let power = 10_f64.powf((value.max(1e-9) / 4.0).log10().floor());
    [4.0, 8.0, 12.0, 20.0, 40.0].iter().map(|times| times * power).find(|top| *top >= value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_plot_is_a_round_number() {
        assert_eq!(round_up(23.0), 40.0);
        assert_eq!(round_up(4.0), 4.0);
        assert_eq!(round_up(5.0), 8.0);
        assert_eq!(round_up(170.0), 200.0);
    }
}
