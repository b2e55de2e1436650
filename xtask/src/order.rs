//! Puts functions of a wasm that resemble each other side by side: deflate looks back 32 KB, and the engine's code is ten
//! times as long.
//!
//! The functions are halved again and again, so that those that share strings of bytes come into the same half: recursive
//! graph bisection (Dhulipala et al., "Compressing Graphs and Indexes with Recursive Graph Bisection", KDD 2016), which Lee,
//! Hoag and Tillmann use for the functions of apps ("Optimizing Function Layout for Mobile Applications", LCTES 2022).

use std::collections::HashMap;
use std::convert::Infallible;

use anyhow::{Context, Result};
use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, FunctionSectionReader, Parser, Payload, TypeRef};

/// The length in bytes of the strings that count; five to seven do about as well.
const STRING: usize = 6;
/// How often the halves exchange functions at most.
const ROUNDS: usize = 30;
/// In each round, every so many functions stay where they are, others each time: where both halves are alike, all would change
/// sides, and nothing would be gained.
const STAYING: usize = 9;
/// Functions with a number below this are called by one byte. wasm-opt gives these to the most called ones, which stay there.
const SHORT_NUMBERS: usize = 128;

/// The same wasm with its functions in another order.
pub(crate) fn put_alike_together(wasm: &[u8]) -> Result<Vec<u8>> {
    let (imports, bodies) = functions(wasm).context("the wasm can't be read")?;
    let first = SHORT_NUMBERS.saturating_sub(imports).min(bodies.len());
    let rest = (first..bodies.len()).map(|place| Function { place, strings: Vec::new() });
    let order: Vec<usize> = (0..first).chain(ordered(with_strings(rest.collect(), &bodies))).collect();
    let mut module = Module::new();
    let mut reordering = Reordering { numbers: numbers(imports, &order), order };
    reordering.parse_core_module(&mut module, Parser::new(0), wasm)?;
    Ok(module.finish())
}

/// How many functions a wasm imports, and the bytes of each of its own.
fn functions(wasm: &[u8]) -> Result<(usize, Vec<&[u8]>)> {
    let (mut imports, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imports += usize::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(&wasm[body.range()]),
            _ => {}
        }
    }
    Ok((imports, bodies))
}

/// The new number of each function, by its old one.
fn numbers(imports: usize, order: &[usize]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..(imports + order.len()) as u32).collect();
    for (number, place) in order.iter().enumerate() {
        numbers[imports + place] = (imports + number) as u32;
    }
    numbers
}

/// A function: its place among those of the wasm, and the numbers of the strings of bytes that it holds, each once.
struct Function {
    place: usize,
    strings: Vec<usize>,
}

fn with_strings(mut functions: Vec<Function>, bodies: &[&[u8]]) -> Vec<Function> {
    let mut numbers = HashMap::new();
    for function in &mut functions {
        for string in bodies[function.place].windows(STRING) {
            let next = numbers.len();
            function.strings.push(*numbers.entry(string).or_insert(next));
        }
        function.strings.sort_unstable();
        function.strings.dedup();
    }
    functions
}

/// The places of functions, those that resemble each other side by side.
fn ordered(functions: Vec<Function>) -> Vec<usize> {
    if functions.len() < 3 {
        return functions.into_iter().map(|function| function.place).collect();
    }
    let (functions, strings) = with_shared_strings(functions);
    let [left, right] = Halves::of(functions, strings).exchange();
    [ordered(left), ordered(right)].concat()
}

/// The functions with those strings alone that several of them hold, but not all, numbered anew; and how many these are.
fn with_shared_strings(mut functions: Vec<Function>) -> (Vec<Function>, usize) {
    let mut holders: HashMap<usize, usize> = HashMap::new();
    for string in functions.iter().flat_map(|function| &function.strings) {
        *holders.entry(*string).or_default() += 1;
    }
    let (all, mut numbers) = (functions.len(), HashMap::new());
    for function in &mut functions {
        function.strings.retain(|string| (2..all).contains(&holders[string]));
        for string in &mut function.strings {
            let next = numbers.len();
            *string = *numbers.entry(*string).or_insert(next);
        }
    }
    let strings = numbers.len();
    (functions, strings)
}

/// Functions in two halves.
struct Halves {
    functions: Vec<Function>,
    /// The half of each function, 0 or 1.
    sides: Vec<usize>,
    /// How many functions of either half hold a string, by its number.
    holders: Vec<[usize; 2]>,
    /// The binary logarithms of the counts, each with one added.
    logarithms: Vec<f64>,
}

impl Halves {
    fn of(functions: Vec<Function>, strings: usize) -> Self {
        let half = functions.len() / 2;
        let sides: Vec<usize> = (0..functions.len()).map(|at| usize::from(at >= half)).collect();
        let mut holders = vec![[0; 2]; strings];
        for (function, side) in functions.iter().zip(&sides) {
            for string in &function.strings {
                holders[*string][*side] += 1;
            }
        }
        let logarithms = (0..functions.len() + 2).map(|count| (count as f64 + 1.0).log2()).collect();
        Self { functions, sides, holders, logarithms }
    }

    /// Exchanges functions as long as that leaves fewer strings in both halves.
    fn exchange(mut self) -> [Vec<Function>; 2] {
        for round in 0..ROUNDS {
            let [left, right] = [self.by_gain(0, round), self.by_gain(1, round)];
            let pairs = left.into_iter().zip(right);
            let gaining: Vec<_> = pairs.take_while(|((left, _), (right, _))| left + right > 0.0).collect();
            if gaining.is_empty() {
                break;
            }
            for ((_, left), (_, right)) in gaining {
                self.change_side(left);
                self.change_side(right);
            }
        }
        let mut halves = [Vec::new(), Vec::new()];
        for (function, side) in self.functions.into_iter().zip(self.sides) {
            halves[side].push(function);
        }
        halves
    }

    /// The functions of a half with what is gained where each changes sides alone, the most first.
    fn by_gain(&self, side: usize, round: usize) -> Vec<(f64, usize)> {
        let here =
            (0..self.functions.len()).filter(|at| self.sides[*at] == side && !(at + round).is_multiple_of(STAYING));
        let mut gains: Vec<_> = here.map(|at| (self.gain(at), at)).collect();
        gains.sort_by(|one, other| other.0.total_cmp(&one.0));
        gains
    }

    fn gain(&self, at: usize) -> f64 {
        let side = self.sides[at];
        let of_string = |string: &usize| {
            let (here, there) = (self.holders[*string][side], self.holders[*string][1 - side]);
            self.closeness(here - 1, there + 1) - self.closeness(here, there)
        };
        self.functions[at].strings.iter().map(of_string).sum()
    }

    /// How close to each other the holders of a string can lie, with so many of them in either half.
    fn closeness(&self, one: usize, other: usize) -> f64 {
        one as f64 * self.logarithms[one] + other as f64 * self.logarithms[other]
    }

    fn change_side(&mut self, at: usize) {
        let side = self.sides[at];
        self.sides[at] = 1 - side;
        for string in &self.functions[at].strings {
            self.holders[*string][side] -= 1;
            self.holders[*string][1 - side] += 1;
        }
    }
}

/// Writes a wasm whose functions stand in another order.
struct Reordering {
    /// The place of each function in the wasm that is read, in the new order.
    order: Vec<usize>,
    /// The new number of each function, imported ones included, by its old one.
    numbers: Vec<u32>,
}

impl Reencode for Reordering {
    type Error = Infallible;

    fn function_index(&mut self, number: u32) -> Result<u32, Error<Infallible>> {
        Ok(self.numbers[number as usize])
    }

    fn parse_function_section(
        &mut self,
        written: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in &self.order {
            written.function(types[*place]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        written: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<Result<Vec<_>, _>>()?;
        for place in self.order.clone() {
            self.parse_function_body(written, bodies[place].clone())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{ExportKind, ExportSection, Function as Body, Instruction, TypeSection};

    use super::*;

    /// A wasm whose function `n` gives `values[n]` after so many steps that every third resembles its like,
    /// and the others each other; it exports the last.
    fn wasm_of(values: &[i32]) -> Vec<u8> {
        let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        types.ty().function([], [wasm_encoder::ValType::I32]);
        for value in values {
            functions.function(0);
            let mut body = Body::new([]);
            body.instruction(&Instruction::I32Const(*value));
            for step in 0..20 {
                body.instruction(&Instruction::I32Const(1000 + 1000 * i32::from(value % 3 == 0) + step));
                body.instruction(&Instruction::I32Xor);
            }
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut exports = ExportSection::new();
        exports.export("last", ExportKind::Func, values.len() as u32 - 1);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&exports).section(&code);
        module.finish()
    }

    fn exported(wasm: &[u8]) -> u32 {
        let payloads = Parser::new(0).parse_all(wasm).map(|payload| payload.expect("it is whole"));
        let mut exports = payloads.filter_map(|payload| match payload {
            Payload::ExportSection(section) => section.into_iter().next(),
            _ => None,
        });
        exports.next().expect("it exports a function").expect("it is whole").index
    }

    #[test]
    fn functions_that_resemble_each_other_come_together() {
        let values: Vec<i32> = (0..200).collect();
        let wasm = wasm_of(&values);
        let (_, before) = functions(&wasm).expect("it is whole");
        let reordered = put_alike_together(&wasm).expect("it is whole");
        let (_, after) = functions(&reordered).expect("it is whole");
        assert_eq!(after[..SHORT_NUMBERS], before[..SHORT_NUMBERS], "the most called ones stay");
        // Behind the two bytes of locals and of the constant stand the steps.
        let steps = |body: &&[u8]| body[4..].to_vec();
        let changes = after[SHORT_NUMBERS..].windows(2).filter(|pair| steps(&pair[0]) != steps(&pair[1])).count();
        assert!(changes <= 5, "every third and the others lie apart, with {changes} changes from one to the other");
        let mut sorted = [before.clone(), after.clone()];
        sorted.iter_mut().for_each(|bodies| bodies.sort_unstable());
        assert_eq!(sorted[0], sorted[1], "none is lost");
        assert_eq!(after[exported(&reordered) as usize], before[199], "it is called by its new number");
    }

    #[test]
    fn what_is_no_wasm_is_an_error() {
        assert!(put_alike_together(b"no wasm").is_err());
        assert!(put_alike_together(&wasm_of(&[1, 2])[..30]).is_err());
    }
}
