//! The cases that every language reads: bindings/cases.

#[rustfmt::skip]
mod typed;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use gecc::{
    Call, Column, Context, Curve, ErrorKind, Flag, Hash, Keys, KeysConfig, PointFormat, Result, Rows, Status, Statuses,
};

#[derive(Default)]
struct Case {
    line: usize,
    operation: String,
    options: HashMap<String, Vec<String>>,
    inputs: Vec<String>,
    /// Cells; None: the column has ended.
    rows: Vec<Vec<Option<Vec<u8>>>>,
    /// Of each row the status and the results.
    answers: Vec<(String, Vec<Vec<u8>>)>,
    error: Option<(String, String)>,
}

fn bytes(hex: &str) -> Vec<u8> {
    let hex = hex.trim_start_matches('-');
    assert!(hex.len() % 2 == 0, "{}", hex);
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect(hex)).collect()
}

fn read(name: &str) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name);
    let mut cases = Vec::new();
    for (number, line) in fs::read_to_string(path).expect("bindings/cases").lines().enumerate() {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let key = match words.first() {
            Some(key) if !key.starts_with('#') => key.as_str(),
            _ => continue,
        };
        if key == "case" {
            cases.push(Case { line: number + 1, operation: words[1].clone(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("a case begins with `case`");
        match key {
            "curve" | "hash" | "modulus" | "flags" | "nonce_hash" | "point_format" | "output_bytes" => {
                case.options.insert(key.to_string(), words[1..].to_vec());
            }
            "inputs" => case.inputs = words[1..].to_vec(),
            "outputs" => (),
            "row" => {
                let end = words.iter().position(|word| word == ":").unwrap_or(words.len());
                case.rows.push(words[1..end].iter().map(|cell| (cell != ".").then(|| bytes(cell))).collect());
                if end < words.len() {
                    let results = words[end + 2..].iter().map(|cell| bytes(cell)).collect();
                    case.answers.push((words[end + 1].clone(), results));
                }
            }
            "error" => case.error = Some((words[1].clone(), words[2].clone())),
            _ => panic!("{}: line {}: {}", name, number + 1, line),
        }
    }
    assert!(cases.len() > 10);
    cases
}

impl Case {
    fn option<T: std::str::FromStr<Err = gecc::Error>>(&self, name: &str) -> Option<T> {
        self.options.get(name).map(|words| words[0].parse().expect("a name"))
    }

    fn flags(&self) -> Vec<Flag> {
        self.options.get("flags").map_or(Vec::new(), |names| names.iter().map(|name| name.parse().unwrap()).collect())
    }

    fn column(&self, name: &str) -> Option<Vec<Vec<u8>>> {
        let index = self.inputs.iter().position(|input| input == name)?;
        Some(self.rows.iter().filter_map(|row| row[index].clone()).collect())
    }

    /// A column; of one width as it lies, of several with widths and offsets.
    fn rows(&self, name: &str) -> Option<Rows<'static>> {
        let rows = self.column(name)?;
        let width = rows[0].len();
        if width > 0 && rows.iter().all(|row| row.len() == width) {
            return Some(Rows::owned(rows.concat(), width).unwrap());
        }
        let widths: Vec<u32> = rows.iter().map(|row| row.len() as u32).collect();
        let ends = widths.iter().scan(0, |end, &width| {
            *end += u64::from(width);
            Some(*end - u64::from(width))
        });
        Some(Rows::ragged(rows.concat().leak(), ends.collect::<Vec<_>>(), widths).unwrap())
    }

    fn by_name(&self, operation: &str) -> Result<Call<'static>> {
        let mut call = Call::named(operation)?;
        if let Some(curve) = self.option("curve") {
            call = call.curve(curve);
        }
        if let Some(hash) = self.option("hash") {
            call = call.hash(hash);
        }
        if let Some(words) = self.options.get("modulus") {
            call = call.modulus(&bytes(&words[0]));
        }
        for flag in self.flags() {
            call = call.flag(flag);
        }
        if let Some(hash) = self.option("nonce_hash") {
            call = call.nonce_hash(hash);
        }
        if let Some(format) = self.option("point_format") {
            call = call.point_format(format);
        }
        if let Some(bytes) = self.output_bytes() {
            call = call.output_bytes(bytes);
        }
        self.inputs.iter().try_fold(call, |call, name| call.column(name, self.rows(name).unwrap()))
    }

    fn output_bytes(&self) -> Option<usize> {
        self.options.get("output_bytes").map(|words| words[0].parse().unwrap())
    }

    fn in_types(&self, context: &Context) -> Option<Result<(Vec<Column>, Statuses)>> {
        let modulus = self.options.get("modulus").map_or(Vec::new(), |words| bytes(&words[0]));
        let parts = typed::Parts {
            curve: self.option("curve"),
            hash: self.option("hash"),
            modulus: &modulus,
            keys: None,
            flags: &self.flags(),
            nonce_hash: self.option("nonce_hash"),
            point_format: self.option("point_format"),
            output_bytes: self.output_bytes(),
        };
        typed::run(context, &self.operation, &parts, |name| self.rows(name))
    }

    fn compare(&self, how: &str, columns: &[Column], status: &Statuses) {
        assert_eq!(status.len(), self.answers.len());
        for (i, (name, results)) in self.answers.iter().enumerate() {
            let at = format!("line {}, {} {}, row {}", self.line, self.operation, how, i);
            assert_eq!(format!("{:?}", status.get(i)), camel(name), "{}", at);
            if name != "OK" {
                assert!(columns.iter().all(|column| column.row(i).iter().all(|&byte| byte == 0)), "{}", at);
            }
            for (column, result) in columns.iter().zip(results) {
                assert_eq!(column.row(i), result.as_slice(), "{}", at);
            }
        }
    }
}

/// MALFORMED_WIDTH as Rust has it.
fn camel(name: &str) -> String {
    name.split('_').map(|part| part[..1].to_string() + &part[1..].to_lowercase()).collect()
}

#[test]
fn known_answers() {
    let context = Context::new().unwrap();
    let (mut seen, mut with_keys) = (std::collections::HashSet::new(), 0);
    for case in read("known_answers.txt") {
        let (columns, status) = case.by_name(&case.operation).unwrap().run_named(&context).unwrap();
        case.compare("by its name", &columns, &status);
        let (columns, status) = case.in_types(&context).expect("in types").unwrap();
        case.compare("in types", &columns, &status);
        seen.insert(case.operation.clone());
        with_keys += usize::from(keys(&context, &case));
    }
    assert!(seen.len() >= 36 && with_keys >= 30, "{} operations, {} cases with keys", seen.len(), with_keys);
}

/// The case's rows by the operation on numbers of keys, where there is one.
fn keys(context: &Context, case: &Case) -> bool {
    let name = format!("{}_keys", case.operation);
    if Call::named(&name).is_err() {
        return false;
    }
    let of_keys = if case.operation == "ec.mul_add" { "point" } else { "public_key" };
    let curve: Curve = match case.operation.split('.').next().unwrap() {
        "sm2" => Curve::Sm2,
        "schnorr" => Curve::Secp256k1,
        "ed25519" => Curve::Curve25519,
        _ => case.option("curve").unwrap(),
    };
    let mut own = Case { line: case.line, operation: name.clone(), options: case.options.clone(), ..Case::default() };
    let place = case.inputs.iter().position(|input| input == of_keys).unwrap();
    let mut points = Vec::new();
    for (row, answer) in case.rows.iter().zip(&case.answers).filter(|(_, answer)| answer.0 != "MALFORMED_WIDTH") {
        let mut row = row.clone();
        points.push(row[place].replace((points.len() as u32).to_le_bytes().to_vec()).unwrap());
        own.rows.push(row);
        own.answers.push((answer.0.clone(), answer.1.clone()));
    }
    own.inputs = case.inputs.iter().map(|input| if input == of_keys { "key".into() } else { input.clone() }).collect();
    let mut config = KeysConfig::default();
    config.window = 4;
    let (keys, _) = Keys::new(context, curve, &points, &config).unwrap();
    let flags: Vec<Flag> = own.flags().into_iter().filter(|&flag| flag != Flag::PublicScalars).collect();
    let parts = typed::Parts {
        curve: None,
        hash: None,
        modulus: &[],
        keys: Some(&keys),
        flags: &flags,
        nonce_hash: None,
        point_format: own.option("point_format"),
        output_bytes: None,
    };
    let (columns, status) = typed::run(context, &name, &parts, |column| own.rows(column)).unwrap().unwrap();
    own.compare("with keys", &columns, &status);
    true
}

#[test]
fn misuse() {
    let context = Context::new().unwrap();
    for case in read("misuse.txt") {
        let (kind, word) = case.error.clone().expect("misuse is an error");
        let error = case.by_name(&case.operation).and_then(|call| call.run_named(&context)).expect_err(&case.operation);
        assert_eq!(format!("Error{:?}", error.kind), camel(&kind), "line {}", case.line);
        assert!(error.text.to_lowercase().contains(&word), "line {}: {:?} has no {}", case.line, error.text, word);
        if let Some(result) = case.in_types(&context) {
            assert!(result.is_err(), "line {}, in types", case.line);
        }
    }
}

#[test]
fn every_operation_has_cases_or_is_one_with_keys() {
    let names: std::collections::HashSet<String> =
        read("known_answers.txt").into_iter().map(|case| case.operation).collect();
    for name in typed::OPERATIONS {
        assert!(names.contains(name.trim_end_matches("_keys")), "{}", name);
    }
}

#[test]
fn names_are_those_of_the_library() {
    assert_eq!("prime256v1".parse::<Curve>().unwrap(), Curve::P256);
    assert_eq!("sha384".parse::<Hash>().unwrap(), Hash::Sha384);
    assert_eq!("LOW_S".parse::<Flag>().unwrap(), Flag::LowS);
    assert_eq!("raw".parse::<PointFormat>().unwrap(), PointFormat::Raw);
    for name in ["", "P-257", "P-256\0"] {
        assert!(name.parse::<Curve>().is_err() && name.parse::<Hash>().is_err() && name.parse::<Flag>().is_err());
    }
    for curve in Curve::ALL {
        assert_eq!(curve.to_string().parse::<Curve>().unwrap(), curve);
    }
    for flag in Flag::ALL {
        assert_eq!(flag.to_string().parse::<Flag>().unwrap(), flag);
    }
    assert!(Status::MalformedWidth.is_malformed() && !Status::Infinity.is_malformed());
    assert_eq!(ErrorKind::of(77), ErrorKind::Other(77));
}
