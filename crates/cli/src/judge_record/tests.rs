//! Records of judges, sound and unsound.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::*;

#[test]
fn a_sound_probe_counts_before_likelihoods() {
    let judge = |auc| Judge { auc, supports: 1.0, rejects: -0.5 };
    let figures = |auc: f64| json!({ "auc": auc, "supports": 1.0, "rejects": -0.5 });
    let mut record = figures(0.7);
    assert_eq!(JudgeRecord::from_json(&record, None), Some(JudgeRecord { judge: judge(0.7), probe: None }));
    let known = Probe { layers: 3, read: 1, weights: vec![0.5, -2.0], units: Vec::new(), bias: 0.25, adapters: None };
    let mut probe_json = json!({ "layers": 3, "read": 1, "bias": 0.25, "weights": "AAAAPwAAAMA=" });
    probe_json.as_object_mut().unwrap().extend(figures(0.8).as_object().unwrap().clone());
    record["reading"] = probe_json.clone();
    assert_eq!(JudgeRecord::from_json(&record, None), Some(JudgeRecord { judge: judge(0.8), probe: Some(known) }));
    let likelihoods = Some(JudgeRecord { judge: judge(0.7), probe: None });
    for (name, wrong) in [
        ("weights", json!("AAAAPwAA")),
        ("weights", json!("")),
        ("weights", json!("AADAfw==")),
        ("layers", json!(-1)),
        ("layers", json!(0)),
        ("read", json!(0)),
        ("read", json!(3)),
        ("read", json!(4)),
        ("read", json!("1")),
        ("layers", json!(4_294_967_297_u64)),
        ("auc", json!(5.0)),
        ("bias", Value::Null),
        ("auc", Value::Null),
        ("supports", json!(-1.0)),
    ] {
        record["reading"] = probe_json.clone();
        record["reading"][name] = wrong;
        assert_eq!(JudgeRecord::from_json(&record, None), likelihoods, "{name}");
    }
    // Without `read`, one layer is read.
    probe_json.as_object_mut().unwrap().remove("read");
    assert_eq!(parse_probe(&probe_json).map(|probe| probe.read), Some(1));
    assert_eq!(JudgeRecord::from_json(&Value::Null, None), None);
    assert_eq!(JudgeRecord::from_json(&json!({ "reading": probe_json }), None), None);
}

#[test]
fn units_have_weights_of_one_byte() {
    let unit = |bias, counts| Unit { bias, counts };
    let record = json!({
        "layers": 3, "read": 1, "bias": 0.25, "units": [[0.5, -2.0, 0.5], [0.0, 1.0, 1.0]],
        "weights": "f/8AAg==", "scales": "AACAPwAAgEA=",
    });
    let (weights, units) = (vec![63.5, -2.0, 0.0, 8.0], vec![unit(0.5, -2.0), unit(0.0, 1.0)]);
    let expected = Probe { layers: 3, read: 1, weights, units, bias: 0.25, adapters: None };
    assert_eq!(parse_probe(&record), Some(expected));
    for (name, wrong) in [
        ("units", json!([[0.5, -2.0, 0.01], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]])),
        ("units", json!([[0.5, -2.0], [0.0, 1.0]])),
        ("units", json!([[0.5, -2.0, 1e300], [0.0, 1.0, 1.0]])),
        ("units", json!([[0.5, -2.0, 3e38], [0.0, 1.0, 1.0]])),
        ("units", json!("two")),
        ("units", json!(vec![[0.5, -2.0, 0.5]; 257])),
        ("scales", json!("AACAPw==")),
        ("scales", json!("AADAfwAAgEA=")),
        ("scales", Value::Null),
        ("weights", json!("")),
        ("read", json!(2)),
    ] {
        let mut broken = record.clone();
        broken[name] = wrong;
        // Two layers of one number are as sound as one of two.
        assert_eq!(parse_probe(&broken).is_none(), name != "read", "{broken}");
    }
}

#[test]
fn adapters_have_a_scale_for_each_row() {
    let adapters = json!({
        "layers": 2, "units": 1, "weights": "AQL//gMEBQY=", "scales": "AACAPwAAAEAAAIA/AAAAPw==", "biases": "AAAAPwAAgD8=",
    });
    let numbers = vec![1.0, 2.0, -2.0, -4.0, 0.5, 0.0, 3.0, 4.0, 2.5, 3.0, 1.0, 0.0];
    assert_eq!(parse_adapters(&adapters), Some(Adapters { layers: 2, units: 1, numbers }));
    let mut record = json!({ "layers": 3, "read": 1, "bias": 0.25, "weights": "AAAAPwAAAMA=" });
    for (name, wrong) in [
        ("layers", json!(0)),
        ("layers", json!(1)),
        ("layers", json!(1_u64 << 40)),
        ("units", json!(9)),
        ("units", json!(0)),
        ("weights", json!("AQL//gMEBQ==")),
        ("weights", Value::Null),
        ("scales", json!("AACAPw==")),
        ("biases", json!("")),
        ("biases", json!("AAAAPwAAwH8=")),
    ] {
        let mut broken = adapters.clone();
        broken[name] = wrong;
        assert_eq!(parse_adapters(&broken), None, "{broken}");
        // A probe is of no use without the adapters that its prompts are read through.
        record["adapters"] = broken;
        assert_eq!(parse_probe(&record), None);
    }
    record["adapters"] = adapters;
    assert!(parse_probe(&record).is_some_and(|probe| probe.is_for(3, 2) && !probe.is_for(2, 2)));
}
