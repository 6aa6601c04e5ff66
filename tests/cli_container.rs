//! Texts in archives and binaries, and what a compiler writes beside its dumps.

use crate::cli::{BAD, GOOD};
use crate::support::process::{Scratch, run};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Cursor, Write as _};

fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, data) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(data.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *data).expect("a member");
    }
    builder.into_inner().expect("an archive")
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(data).expect("compressed");
    encoder.finish().expect("compressed")
}

fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, data) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a member");
        writer.write_all(data).expect("written");
    }
    writer.finish().expect("an archive").into_inner()
}

/// A binary of 64 bits with these sections, as the compiler writes it.
fn elf(sections: &[(&str, &[u8])]) -> Vec<u8> {
    let mut names = vec![0];
    let mut data = Vec::new();
    let mut headers = vec![0; 64];
    let strings: Vec<(&str, &[u8])> = sections.iter().copied().chain([(".strtab", &b""[..])]).collect();
    for (name, content) in &strings {
        let place = names.len() as u32;
        names.extend(name.bytes().chain([0]));
        let content = if *name == ".strtab" { names.clone() } else { content.to_vec() };
        let kind: u32 = if *name == ".strtab" { 3 } else { 0xff00_0013 };
        headers.extend([place.to_le_bytes(), kind.to_le_bytes()].concat());
        let words: [u64; 4] = [0, 0, 64 + data.len() as u64, content.len() as u64];
        headers.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        headers.extend([0; 24]);
        data.extend(content);
    }
    let mut file = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    file.extend([0x12, 0xff, 205, 0, 1, 0, 0, 0]);
    file.extend([0; 16]);
    file.extend((64 + data.len() as u64).to_le_bytes());
    file.extend([0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 64, 0]);
    file.extend((strings.len() as u16 + 1).to_le_bytes());
    file.extend((strings.len() as u16).to_le_bytes());
    [file, data, headers].concat()
}

fn short(scratch: &Scratch, name: &str) -> (i32, String, String) {
    run(&scratch.0, &["--format", "short", name])
}

#[test]
fn members_of_archives_are_checked_under_their_names() {
    let scratch = Scratch::new("archives");
    let members: [(&str, &[u8]); 4] = [
        ("d/bad.visaasm", BAD.as_bytes()),
        ("d/good.visaasm", GOOD.as_bytes()),
        ("notes.txt", b"mov"),
        ("z.isaasm", BAD.as_bytes()),
    ];
    scratch.file("a.tar", tar(&members));
    scratch.file("a.tar.gz", gzip(&tar(&members)));
    scratch.file("a.zip", zip(&members));
    for name in ["a.tar", "a.tar.gz", "a.zip"] {
        let (status, out, err) = short(&scratch, name);
        let expected = ["d/bad.visaasm", "z.isaasm"]
            .map(|member| format!("{name}({member}):6:5: error[unknown-instruction]: unknown instruction `rett`; help: did you mean `ret`?\n"));
        assert_eq!((status, out), (1, expected.concat()), "{err}");
        assert!(err.contains("checked 3 kernels in 3 files"), "{err}");
        let (_, out, _) = run(&scratch.0, &["--format", "sarif", name]);
        let document: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(document["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    }
    // Many members stay in order.
    let names: Vec<String> = (0..600).map(|i| format!("{i}.visaasm")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), BAD.as_bytes())).collect();
    scratch.file("many.tar.gz", gzip(&tar(&many)));
    let (_, out, _) = short(&scratch, "many.tar.gz");
    let found: Vec<&str> = out.lines().map(|line| line.split(['(', ')']).nth(1).expect("a member")).collect();
    assert_eq!(found, names);
}

#[test]
fn known_findings_of_members_are_known() {
    let scratch = Scratch::new("archives-known");
    scratch.file("a.tar", tar(&[("k.visaasm", BAD.as_bytes())]));
    run(&scratch.0, &["--write-baseline", "known.json", "a.tar"]);
    let (status, _, err) = run(&scratch.0, &["--baseline", "known.json", "a.tar"]);
    assert_eq!(status, 0);
    assert!(err.contains("1 known") && !err.contains("gone"), "{err}");
    scratch.file("other.visaasm", GOOD);
    let (_, _, err) = run(&scratch.0, &["--baseline", "known.json", "other.visaasm"]);
    assert!(!err.contains("gone"), "the archive is still there: {err}");
}

#[test]
fn broken_archives_are_named_and_lose_nothing_before() {
    let scratch = Scratch::new("archives-broken");
    let whole = tar(&[("a.visaasm", BAD.as_bytes()), ("b.visaasm", "// x\n".repeat(2000).as_bytes())]);
    scratch.file("cut.tar", &whole[..3000]);
    let (status, out, err) = short(&scratch, "cut.tar");
    assert_eq!(status, 2, "{err}");
    assert!(out.starts_with("cut.tar(a.visaasm):6:5:"), "{out}");
    assert!(err.contains("cannot check `cut.tar"), "{err}");
    for (name, data) in [
        ("cut.zip", zip(&[("a.visaasm", BAD.as_bytes())])[..40].to_vec()),
        ("cut.tgz", gzip(&whole)[..20].to_vec()),
        ("cut.bin", elf(&[(".visaasm", BAD.as_bytes())])[..70].to_vec()),
        ("none.tar", tar(&[("a.txt", b"x")])),
        ("none.bin", elf(&[(".text", b"x")])),
    ] {
        scratch.file(name, data);
        let (status, out, err) = short(&scratch, name);
        assert_eq!((status, out.as_str()), (2, ""), "{name}: {err}");
        assert!(err.contains(&format!("cannot check `{name}`")), "{err}");
    }
    scratch.file("odd.tar", tar(&[("a.visaasm", b"\x7fELF\0\0"), ("b.visaasm", BAD.as_bytes())]));
    let (status, out, err) = short(&scratch, "odd.tar");
    assert_eq!((status, out.lines().count()), (2, 1), "{err}");
    assert!(err.contains("cannot check `odd.tar(a.visaasm)`: it is a binary file"), "{err}");
}

#[test]
fn archives_are_not_changed() {
    let scratch = Scratch::new("archives-fix");
    scratch.file("a.tar", tar(&[("k.visaasm", BAD.as_bytes())]));
    let (status, _, err) = run(&scratch.0, &["--fix", "a.tar"]);
    assert_eq!(status, 2);
    assert!(err.contains("are not changed"), "{err}");
}

/// A kernel that writes shared local memory at 128, and what a compiler says of it.
const SLM: &str = ".version 4.1\n.kernel \"entry\"\n.kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=16\n\
.decl V32 v_type=G type=ud num_elts=16 align=GRF\n.decl V33 v_type=G type=ud num_elts=16 align=GRF\n\
.function \"entry_0\"\nentry_0:\n    mov (M1, 16) V32(0,0)<1> 0x80:ud\n    mov (M1, 16) V33(0,0)<1> 0x1:ud\n\
    lsc_store.slm (M1, 16) flat[V32]:a32 V33:d32\n    ret (M1, 1)\n";
const ZE_INFO: &str = "---\nversion: '1.20'\nkernels:\n  - name: entry\n    execution_env:\n      slm_size: 64\n...\n";

fn finds_slm(out: &str) -> bool {
    out.contains("[slm-out-of-bounds]")
}

#[test]
fn binaries_carry_texts_and_facts() {
    let scratch = Scratch::new("binaries");
    let named = elf(&[(".text.k", b"\0\0"), (".visaasm.k", BAD.as_bytes()), (".visaasm", GOOD.as_bytes())]);
    scratch.file("k.bin", &named);
    let (status, out, err) = short(&scratch, "k.bin");
    assert_eq!(status, 1, "{err}");
    assert_eq!(
        out,
        "k.bin(k):6:5: error[unknown-instruction]: unknown instruction `rett`; help: did you mean `ret`?\n"
    );
    assert!(err.contains("checked 2 kernels in 2 files"), "{err}");
    scratch.file("without.bin", elf(&[(".visaasm", SLM.as_bytes())]));
    scratch.file("with.bin", elf(&[(".visaasm", SLM.as_bytes()), (".ze_info", ZE_INFO.as_bytes())]));
    assert!(!finds_slm(&short(&scratch, "without.bin").1));
    let (_, out, _) = short(&scratch, "with.bin");
    assert!(finds_slm(&out) && out.starts_with("with.bin(entry):11:"), "{out}");
    // Inside of programs of the host, for Linux and Windows, between what only looks like one.
    let fake = [b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x12\xff\xcd\0".as_slice(), b"x".repeat(50).as_slice()].concat();
    let slm = elf(&[(".visaasm", SLM.as_bytes()), (".ze_info", ZE_INFO.as_bytes())]);
    for front in [b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0".as_slice(), b"MZ\x90\0"] {
        scratch.file("app", [front, &named, b"\x7fELF", &fake, &slm, b"end"].concat());
        let (status, out, err) = short(&scratch, "app");
        assert_eq!(status, 1, "{err}");
        assert!(out.starts_with("app(image 1:k):6:5: error[unknown-instruction]"), "{out}");
        assert!(out.contains("\napp(image 3:entry):11:") && finds_slm(&out), "{out}");
    }
    // A binary in an archive, and another one in an archive of its own kind.
    scratch.file("a.zip", zip(&[("d/k.bin", &named)]));
    assert!(short(&scratch, "a.zip").1.starts_with("a.zip(d/k.bin:k):6:5:"));
    let header = format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "dg2/", 0, 0, 0, 0o644, named.len());
    scratch.file("fat.ar", [b"!<arch>\n", header.as_bytes(), &named].concat());
    assert!(short(&scratch, "fat.ar").1.starts_with("fat.ar(dg2:k):6:5:"), "{:?}", short(&scratch, "fat.ar"));
}

#[test]
fn sections_that_share_their_bytes_are_named() {
    // Any number of sections could hold one text, and the work would be that number times the file.
    let scratch = Scratch::new("shared_sections");
    let text = format!("{GOOD}// {}\n", "x".repeat(4000));
    let mut binary = elf(&[(".visaasm.a", text.as_bytes()), (".visaasm.b", b"")]);
    let headers = usize::from(u16::from_le_bytes([binary[40], binary[41]]));
    let [first, second] = [1, 2].map(|n| headers + 64 * n + 24);
    binary.copy_within(first..first + 16, second);
    scratch.file("k.bin", &binary);
    let (status, out, err) = short(&scratch, "k.bin");
    assert_eq!((status, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("cannot check `k.bin`: the binary cannot be read: its sections overlap\n"), "{err}");
}

#[test]
fn facts_beside_a_dump_are_used() {
    let scratch = Scratch::new("neighbours");
    scratch.file("d/OCL_asm12_simd16_entry_0001.visaasm", SLM);
    assert!(!finds_slm(&short(&scratch, "d").1));
    scratch.file("d/OCL_asm1.zeinfo", ZE_INFO);
    assert!(!finds_slm(&short(&scratch, "d").1), "the facts of another program");
    scratch.file("d/OCL_asm12.zeinfo", ZE_INFO);
    assert!(finds_slm(&short(&scratch, "d").1));
    assert!(finds_slm(&run(&scratch.0.join("d"), &["OCL_asm12_simd16_entry_0001.visaasm"]).1));
    // What is said elsewhere wins, and a broken file is said.
    scratch.file("other", ZE_INFO.replace("64", "4096"));
    assert!(!finds_slm(&run(&scratch.0, &["--ze-info", "other", "d"]).1));
    scratch.file("d/OCL_asm12.zeinfo", "kernels: 3");
    let (_, out, err) = short(&scratch, "d");
    assert!(!finds_slm(&out) && err.contains("this is not what a compiler says of kernels"), "{err}");
}

#[test]
fn facts_in_an_archive_are_used_for_the_dumps_of_their_program() {
    let scratch = Scratch::new("archived-neighbours");
    // The facts stand behind the text.
    let members = |facts: &'static str, info: &'static str| {
        [("d_x/OCL_asm12_simd16_entry_0001.visaasm", SLM.as_bytes()), (facts, info.as_bytes())]
    };
    for (name, form) in
        [("a.tar", tar as fn(&[(&str, &[u8])]) -> Vec<u8>), ("a.zip", zip), ("a.tar.gz", |m| gzip(&tar(m)))]
    {
        for (facts, are_used) in [
            ("d_x/OCL_asm12.zeinfo", true),
            ("d_x/OCL_asm12_simd16.zeinfo", true),
            ("d_x/OCL_asm1.zeinfo", false),
            ("OCL_asm12.zeinfo", false),
            ("d.zeinfo", false),
        ] {
            scratch.file(name, form(&members(facts, ZE_INFO)));
            assert_eq!(finds_slm(&short(&scratch, name).1), are_used, "{name} {facts}");
        }
    }
    scratch.file("a.tar", tar(&members("d_x/OCL_asm12.zeinfo", "kernels: 3")));
    let (_, out, err) = short(&scratch, "a.tar");
    assert!(!finds_slm(&out), "{out}");
    assert!(err.contains("`a.tar(d_x/OCL_asm12.zeinfo)`: this is not what a compiler says"), "{err}");
}
