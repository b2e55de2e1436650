//! The `seealso` command: the library's [`run`](seealso_cli::run), as a program.

use std::process::ExitCode;

fn main() -> ExitCode {
    seealso_cli::run()
}
