//! Compiles the C as c/src/units.ini says, or finds the library that the system has.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

type Section = BTreeMap<String, String>;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["GECC_LIB_DIR", "GECC_MACHINES", "DOCS_RS"] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    if env::var_os("DOCS_RS").is_some() {
        return; // documentation needs no library
    }
    if env::var_os("CARGO_FEATURE_SYSTEM").is_some() {
        link_system();
    } else {
        compile();
    }
}

fn link_system() {
    if let Some(folder) = env::var_os("GECC_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", Path::new(&folder).display());
    } else if let Ok(found) = Command::new("pkg-config").args(["--libs-only-L", "gecc"]).output() {
        for flag in String::from_utf8_lossy(&found.stdout).split_whitespace() {
            println!("cargo:rustc-link-search=native={}", flag.trim_start_matches("-L"));
        }
    }
    println!("cargo:rustc-link-lib=dylib=gecc");
}

/// The sections of a file of `key = value`, in its order.
fn read_ini(path: &Path) -> Vec<(String, Section)> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {}", path.display(), error));
    let mut sections = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            sections.push((name.to_string(), Section::new()));
        } else {
            let (key, value) = line.split_once(" =").unwrap_or_else(|| panic!("{}: {}", path.display(), line));
            let (_, section) = sections.last_mut().expect("a key stands in a section");
            section.insert(key.to_string(), value.trim_start().to_string());
        }
    }
    sections
}

fn words<'a>(section: &'a Section, key: &str) -> Vec<&'a str> {
    section.get(key).map_or(Vec::new(), |value| value.split(' ').collect())
}

fn number(section: &Section, key: &str, without: usize) -> usize {
    section.get(key).map_or(without, |value| value.parse().expect(key))
}

/// The .c files below a folder.
fn sources(folder: &Path, without: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = fs::read_dir(folder).expect("the C sources").map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && path != without {
            sources(&path, without, found);
        } else if path.extension().map_or(false, |ending| ending == "c") {
            found.push(path);
        }
    }
}

/// How many bits the number of these hexadecimal digits has.
fn bits_of(digits: &str) -> usize {
    let first = u32::from_str_radix(&digits[..1], 16).expect("a number");
    4 * digits.len() - (first.leading_zeros() as usize - 28)
}

/// The translation units of a machine, for each curve and each width of moduli, with the flags that they have alone.
fn units(
    machine: &str,
    section: &Section,
    curves: &[(String, Section)],
    library: &Section,
    c: &Path,
    out: &Path,
) -> Vec<(PathBuf, Vec<String>)> {
    let especially: Vec<usize> = words(section, "multiply_bits").iter().map(|bits| bits.parse().unwrap()).collect();
    let has = |bits| especially.is_empty() || especially.contains(&bits);
    let of_curves = curves.iter().map(|(name, curve)| ("curve", name.clone(), bits_of(&curve["p"])));
    let moduli = words(library, "modulus_bits");
    let of_moduli = moduli.iter().map(|bits| ("mod", format!("mod_{}", bits), bits.parse().unwrap()));
    let mut made = Vec::new();
    for (kind, subject, bits) in of_curves.chain(of_moduli.filter(|&(_, _, bits)| has(bits))) {
        let mut limb_bits = number(section, "limb_bits", 0);
        let mut settings =
            section.get("windows").map_or(String::new(), |header| format!("#define BATCH_WINDOWS \"{}\"\n", header));
        if bits <= number(section, "inline_bits", 0) {
            settings += "#define FIELD_MULTIPLY LANE_INLINE\n";
        }
        let mut multiply = &section[if has(bits) { "multiply" } else { "multiply_others" }];
        for spare in words(section, "spare") {
            let (of, limb) = spare.split_once(':').expect("BITS:LIMB");
            if of == bits.to_string() {
                limb_bits = limb.parse().expect("bits of a limb");
                multiply = &library["multiply_spare"];
                settings = format!("#define LIMB_BITS {}\n{}", limb_bits, settings);
            }
        }
        let several = number(section, "limbs", 1);
        let limbs = ((bits - 1) / limb_bits / several + 1) * several;
        let template = c.join(format!("src/backend/cpu/{}.c.in", kind));
        let mut text = fs::read_to_string(&template).expect("a template");
        for (name, value) in [
            ("machine", machine),
            ("subject", &subject),
            ("bits", &bits.to_string()),
            ("limbs", &limbs.to_string()),
            ("words", &((bits + 31) / 32).to_string()),
            ("chunk_rows", &section["chunk_rows"]),
            ("settings", &settings),
            ("multiply", multiply),
        ] {
            text = text.replace(&format!("@{}@", name), value);
        }
        let unit = out.join(format!("{}_{}.c", machine, subject));
        fs::write(&unit, text).expect("room for a translation unit");
        let mut own = if *multiply == section["multiply"] { words(section, "multiply_flags") } else { Vec::new() };
        if words(section, "scheduled").contains(&subject.as_str()) {
            own.extend(words(library, "schedule_flags"));
        }
        made.push((unit, own.iter().map(|flag| flag.to_string()).collect()));
    }
    made
}

/// Does the assembler know the machine's instruction, if it says one?
fn assembles(build: &cc::Build, section: &Section, out: &Path) -> bool {
    let instruction = match section.get("instruction") {
        Some(instruction) => instruction,
        None => return true,
    };
    let source = out.join("instruction.c");
    fs::write(&source, format!("void f(void) {{ __asm__(\"{}\"); }}\n", instruction)).expect("room for a file");
    let mut command = build.get_compiler().to_command();
    command.arg("-c").arg(&source).arg("-o").arg(out.join("instruction.o"));
    command.output().map_or(false, |done| done.status.success())
}

fn compile() {
    let c = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("c");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let processor = env::var("CARGO_CFG_TARGET_ARCH").unwrap();
    for path in ["c/src", "c/include"] {
        println!("cargo:rerun-if-changed={}", path);
    }
    let table = read_ini(&c.join("src/units.ini"));
    let curves = read_ini(&c.join("src/curve/curves.ini"));
    let library = &table.iter().find(|(name, _)| name == "library").expect("[library]").1;

    let mut build = cc::Build::new();
    build.warnings(false).cargo_metadata(false).opt_level(3).pic(true);
    build.flag(&format!("-std=gnu{}", library["standard"])).flag("-fvisibility=hidden");
    for key in ["flags", "hardening", "fortify", "release"] {
        for flag in words(library, key) {
            build.flag(flag);
        }
    }
    for folder in words(library, "include") {
        build.include(c.join(folder));
    }

    let wanted = env::var("GECC_MACHINES").unwrap_or_default().replace(';', " ");
    let wanted: Vec<&str> = if wanted.is_empty() { words(library, "machines") } else { wanted.split(' ').collect() };
    let mut files = Vec::new();
    sources(&c.join(&library["sources"]), &c.join(&library["without"]), &mut files);
    let mut own_flags: Vec<(String, Vec<String>)> = Vec::new();
    for (machine, section) in table.iter().filter(|(_, section)| section.contains_key("chunk_rows")) {
        let flags = words(section, "flags");
        let is_wanted = wanted.contains(&machine.as_str());
        let is_possible = section.get("processor").map_or(true, |needs| *needs == processor);
        if is_wanted
            && is_possible
            && flags.iter().all(|flag| build.is_flag_supported(flag).unwrap_or(false))
            && assembles(&build, section, &out)
        {
            if let Some(name) = section.get("definition") {
                build.define(name, None);
            }
            for (file, own) in units(machine, section, &curves, library, &c, &out) {
                own_flags.push((file.file_name().unwrap().to_string_lossy().into_owned(), own));
                files.push(file);
            }
            own_flags.push((format!("{}_", machine), flags.iter().map(|flag| flag.to_string()).collect()));
        } else {
            files.retain(|file| !file.file_name().unwrap().to_string_lossy().starts_with(&format!("{}_", machine)));
        }
    }
    archive(build, &files, &own_flags, &out);
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=gecc");
    for name in words(library, "libraries") {
        println!("cargo:rustc-link-lib={}", name);
    }
    println!("cargo:include={}", c.join("include").display());
}

/// libgecc.a, compiled by as many processes as cargo says.
fn archive(mut build: cc::Build, files: &[PathBuf], own_flags: &[(String, Vec<String>)], out: &Path) {
    let jobs: usize = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let compiler = build.get_compiler();
    let next = AtomicUsize::new(0);
    let object = |index: usize| {
        let stem = files[index].file_stem().unwrap().to_string_lossy();
        out.join(format!("{}_{}.o", index, stem))
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let file = match files.get(index) {
                    Some(file) => file,
                    None => break,
                };
                let name = file.file_name().unwrap().to_string_lossy();
                let own = own_flags.iter().filter(|(start, _)| name.starts_with(start)).flat_map(|(_, flags)| flags);
                let mut command = compiler.to_command();
                command.args(own).arg("-c").arg(file).arg("-o").arg(object(index));
                let status = command.status().unwrap_or_else(|error| panic!("{:?}: {}", command, error));
                assert!(status.success(), "{:?} failed", command);
            });
        }
    });
    for index in 0..files.len() {
        build.object(object(index));
    }
    build.compile("gecc");
}
