//! Reading written files.

use crate::testing::TinyModel;
use crate::{Architecture, Header, ModelConfig, Parsed};

#[test]
fn a_tiny_model_is_read_back() {
    for architecture in Architecture::ALL {
        let file = TinyModel { architecture, ..TinyModel::default() }.write().unwrap();
        let Parsed::Done(header, _) = Header::parse(&file).unwrap() else { panic!("the whole file was given") };
        let config = ModelConfig::from_header(&header).unwrap();
        assert_eq!(config.architecture, architecture);
    }
}
