//! What every HTTP server of the command does with requests and responses: JSON bodies, and web pages of other origins.

mod json;
mod origins;
mod cross_origin;

pub(crate) use cross_origin::{OriginCheck, check_origin};
pub(crate) use json::{BodyFault, json, read_json};
pub(crate) use origins::{Origins, parse_origin};
