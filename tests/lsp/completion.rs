//! Completion.

use super::client::{Client, URI, capable, cursor, position};
use crate::support::kernel;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The labels that are proposed at a cursor in the body of a kernel.
fn labels(marked_line: &str) -> Vec<String> {
    let list = Client::new().at_cursor("textDocument/completion", &kernel("", &format!("{marked_line}\n")));
    names(&list)
}

fn names(list: &Value) -> Vec<String> {
    list["items"].as_array().expect("a list").iter().map(|i| i["label"].as_str().expect("a label").to_owned()).collect()
}

#[track_caller]
fn expect(marked_line: &str, among: &[&str], absent: &[&str]) {
    let found = labels(marked_line);
    for label in among {
        assert!(found.iter().any(|f| f == label), "{marked_line}: `{label}` is missing in {found:?}");
    }
    for label in absent {
        assert!(!found.iter().any(|f| f == label), "{marked_line}: `{label}` is in {found:?}");
    }
}

/// The line after a proposal was accepted, without places to fill in.
fn accepted(marked_line: &str, label: &str) -> String {
    let mut capabilities = capable();
    capabilities["textDocument"]["completion"] = json!({});
    let mut client = Client::with(capabilities, json!({}), &[]);
    let marked = kernel("", &format!("{marked_line}\n"));
    let (text, _) = cursor(&marked);
    let list = client.at_cursor("textDocument/completion", &marked);
    let item = list["items"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|i| i["label"] == label)
        .unwrap_or_else(|| panic!("no {label} in {:?}", names(&list)));
    assert_eq!(item.get("insertTextFormat"), None);
    let new = super::client::edited(&text, &json!([item["textEdit"]]));
    let line = text[..marked.find("<|>").expect("a cursor")].matches('\n').count();
    new.lines().nth(line).expect("the line").to_owned()
}

#[test]
fn mnemonics_and_directives_begin_a_statement() {
    expect("    scat<|>", &["scatter4_scaled", "scatter_scaled"], &["add", ".decl"]);
    expect("    <|>", &["add", "mov"], &[]);
    // What compilers print most comes first.
    assert!(labels("    <|>").iter().map(String::as_str).take(4).eq(["mov", "add", "cmp", "shl"]));
    assert_eq!(labels("    a<|>")[0], "add");
    expect("    nbarrier.<|>", &["nbarrier.signal", "nbarrier.wait"], &["add"]);
    expect(".<|>", &[".decl", ".kernel_attr", ".implicit_LOCAL_ID"], &["add"]);
    expect("    // sca<|>", &[], &["scatter4_scaled"]);
}

#[test]
fn a_mnemonic_brings_a_template() {
    let list = Client::new().at_cursor("textDocument/completion", &kernel("", "    scatter4_sc<|>\n"));
    let item =
        list["items"].as_array().expect("a list").iter().find(|i| i["label"] == "scatter4_scaled").expect("the item");
    assert_eq!(item["insertTextFormat"], 2);
    let template = item["textEditText"].as_str().expect("a template");
    assert!(
        template.starts_with("scatter4_scaled.${1|R,RG,RGB,RGBA|} (${2|M1,M1_NM,M5,M5_NM|}, ${3|16,8"),
        "{template}"
    );
    assert!(template.contains("${5:0x0:ud}") && template.contains("${6:element_offset}.0"), "{template}");

    // What is known about it comes when it is asked for.
    let mut client = Client::new();
    let resolved = client.request("completionItem/resolve", item.clone());
    assert!(resolved["documentation"]["value"].as_str().expect("text").contains("Writes one to four dwords per lane"));
    assert_eq!(accepted("    scatter4_sc<|>", "scatter4_scaled"), "    scatter4_scaled");
}

#[test]
fn instructions_of_other_platforms_are_left_out() {
    let mut client = Client::with(capable(), json!({ "platforms": ["SKL"] }), &[]);
    let list = client.at_cursor("textDocument/completion", &kernel("", "    lsc_l<|>\n"));
    assert_eq!(names(&list), [""; 0]);
}

#[test]
fn modifiers_are_those_of_the_instruction() {
    expect("    cmp.<|>", &["eq", "ne", "lt"], &["sat", "RGBA"]);
    expect("    gather4_scaled.<|>", &["R", "RG", "RGBA", "A"], &["eq"]);
    expect("    add.<|>", &["sat"], &["eq"]);
    expect("    gather_scaled.<|>", &["1", "2", "4"], &["RG"]);
    assert_eq!(accepted("    cmp.n<|>", "ne"), "    cmp.ne");
}

#[test]
fn masks_and_sizes_are_those_of_the_instruction() {
    expect("    add (<|>", &["M1", "M1_NM", "M5"], &["16"]);
    expect("    add (M1, <|>", &["1", "16", "32"], &["M1"]);
    expect("    scatter4_scaled.R (M1, <|>", &["8", "16"], &["32", "4"]);
    assert_eq!(accepted("    add (M5_<|>, 16)", "M5_NM"), "    add (M5_NM, 16)");
}

#[test]
fn operands_are_variables_and_values_of_the_slot() {
    expect("    add (M1, 16) V<|>", &["VD", "VF", "VUD"], &["T6", "P1", "A0", "S0"]);
    expect("    scatter4_scaled.R (M1, 8) <|>", &["T6", "T7", "%slm"], &["VD", "S0", "P1"]);
    expect("    scatter4_scaled.R (M1, 8) T6 <|>", &["0x0:ud"], &["T6"]);
    expect("    (<|>", &["P1", "P2"], &["VD"]);
    expect("    (!P1.<|>", &[".any", ".all"], &["P1"]);
    expect("    cmp.eq (M1, 8) <|>", &["P1"], &[]);
    expect("    jmp (M1, 1) <|>", &["label_1"], &["VD"]);
    expect("    mov (M1, 8) VD(0,0)<1> r[<|>", &["A0", "A1"], &["VD"]);
    expect("    mov (M1, 8) VD(0,0)<1> (-)<|>", &["VD"], &[]);
    assert_eq!(accepted("    add (M1, 16) VD<|>", "VD"), "    add (M1, 16) VD(0,0)<1>");
    assert_eq!(accepted("    add (M1, 16) VD(0,0)<1> V<|>", "VF"), "    add (M1, 16) VD(0,0)<1> VF(0,0)<1;1,0>");
    assert_eq!(accepted("    mov (M1, 8) VD(0,0)<1> (-)V<|>", "VD2"), "    mov (M1, 8) VD(0,0)<1> (-)VD2(0,0)<1;1,0>");
    assert_eq!(
        accepted("    scatter4_scaled.R (M1, 8) T6 0x0:ud V<|>", "VUD"),
        "    scatter4_scaled.R (M1, 8) T6 0x0:ud VUD.0"
    );
    assert_eq!(accepted("    mov (M1, 8) VD(0,0)<1> r[A<|>", "A0"), "    mov (M1, 8) VD(0,0)<1> r[A0");
}

#[test]
fn parts_of_operands_are_completed() {
    expect("    add (M1, 16) VD(0,0)<<|>", &["1>", "2>"], &["0;1,0>"]);
    expect("    add (M1, 8) VD(0,0)<1> VD(0,0)<<|>", &["0;1,0>", "8;8,1>"], &["16;16,1>"]);
    expect("    mov (M1, 8) VF(0,0)<1> 0x1:<|>", &["f", "d", "ud"], &["bf"]);
    expect("    lsc_load.ugm (M1, 16) VUD:<|>", &["d32", "d32x4"], &["ud"]);
    expect("    lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:<|>", &["a32", "a64"], &["d32"]);
    expect("    lsc_load.ugm (M1, 16) VUD:d32 flat[<|>", &["VUQ"], &["A0"]);
    expect("    scatter4_scaled.R (M1, 8) T6 0x0:ud VUD.<|>", &["0", "32", "64"], &[]);
    assert_eq!(
        accepted("    add (M1, 8) VD(0,0)<1> VD(0,0)<8<|>", "8;8,1>"),
        "    add (M1, 8) VD(0,0)<1> VD(0,0)<8;8,1>"
    );
    assert_eq!(accepted("    mov (M1, 8) VF(0,0)<1> 0x1:<|>", "ud"), "    mov (M1, 8) VF(0,0)<1> 0x1:ud");
    assert_eq!(
        accepted("    scatter4_scaled.R (M1, 8) T6 0x0:ud VUD.<|>", "64"),
        "    scatter4_scaled.R (M1, 8) T6 0x0:ud VUD.64"
    );
}

/// What each kind of operand takes: labels, functions, samplers, surfaces, and the forms of LSC addresses.
#[test]
fn every_kind_of_operand_has_proposals() {
    expect("    switchjmp (M1, 1) VUD(0,0)<0;1,0> (<|>", &["label_1"], &["VUD"]);
    expect("    switchjmp (M1, 1) VUD(0,0)<0;1,0> (label_1,<|>", &["label_1"], &["VUD"]);
    assert_eq!(
        accepted("    switchjmp (M1, 1) VUD(0,0)<0;1,0> (label_1, lab<|>", "label_1"),
        "    switchjmp (M1, 1) VUD(0,0)<0;1,0> (label_1, label_1"
    );
    expect("    sample.RGBA (M1, 16) <|>", &["S0"], &["T6", "VUD"]);
    expect("    oword_ld (2) <|>", &["T6", "%slm"], &["S0"]);
    expect("    movs (M1, 1) VUD(0,0)<1> <|>", &["S0", "T6"], &[]);
    expect("    addr_add (M1, 1) A0(0)<1> &<|>", &["VUD", "T6"], &["P1"]);
    expect("    lsc_load.ugm (M1, 16) VUD:d32 <|>", &["flat", "bti", "ss", "bss"], &["VUD"]);
    expect("    lsc_load_strided.ugm (M1, 16) VUD:d32 <|>", &["flat"], &["bti"]);
    expect("    lsc_load_block2d.ugm (M1, 1) VUD:d16.16x8nn <|>", &["flat"], &["bti"]);
    expect("    lsc_load_block2d.tgm VUD:32x4 <|>", &["bti", "ss"], &["flat"]);
    expect("    lsc_read_state_info.tgm VUD <|>", &["bti", "ss", "bss"], &["flat"]);
    expect("    sample.RGBA (<|>", &["8", "16"], &["M1"]);
    // What follows the dot may be a part of another mnemonic.
    expect("    add3.<|>", &["o", "sat"], &["ugm"]);
    expect("    lsc_load_block2d.<|>", &["ugm", "tgm"], &[]);
    let forms = |line: &str| -> Vec<String> {
        let list = Client::new().at_cursor("textDocument/completion", &kernel("", &format!("{line}\n")));
        let items = list["items"].as_array().expect("a list");
        items.iter().filter_map(|i| i["textEditText"].as_str()).map(str::to_owned).collect()
    };
    let quad = forms("    lsc_load_quad.tgm (M1, 16) VUD:d32.xy <|>");
    assert!(quad.iter().any(|f| f == "ss(${1:V})[${2:u}, ${3:v}]:a32"), "{quad:?}");
    // A `.function` and the label behind it are one place to go to.
    let text = ".version 4.1\n.kernel \"k\"\n.function \"k_0\"\nk_0:\n    goto (M1, 16) <|>\n    ret (M1, 1)\n\
                .function \"other\"\n.decl VX v_type=G type=d num_elts=8\nother:\n    fret (M1, 16)\n";
    let found = names(&Client::new().at_cursor("textDocument/completion", text));
    assert_eq!(found.iter().filter(|name| *name == "k_0").count(), 1, "{found:?}");
}

#[test]
fn the_best_types_come_first() {
    let found = labels("    scatter4_scaled.R (M1, 8) T6 0x0:ud <|>");
    let place = |name: &str| found.iter().position(|f| f == name).unwrap_or_else(|| panic!("no {name} in {found:?}"));
    assert!(place("VUD") < place("VDF"), "{found:?}");
}

#[test]
fn directives_are_completed() {
    expect(".decl Vx <|>", &["v_type="], &[]);
    expect(".decl Vx v_type=<|>", &["G", "A", "P", "S", "T"], &[]);
    expect(".decl Vx v_type=G <|>", &["type=", "num_elts=", "align=", "alias="], &["v_type=", "v_name="]);
    expect(".decl Vx v_type=G type=<|>", &["ud", "f", "hf"], &["v", "bool"]);
    expect(".decl Vx v_type=G type=d num_elts=8 align=<|>", &["GRF", "hword"], &[]);
    expect(".decl Vx v_type=G type=d num_elts=8 alias=<<|>", &["VUD"], &["T6"]);
    expect(".decl Vx v_type=G type=d num_elts=8 attrs={<|>", &["Output", "Input"], &["SimdSize"]);
    expect(".kernel_attr <|>", &["SimdSize", "SLMSize", "Target"], &["Output"]);
    expect(".kernel_attr Target=<|>", &["\"cm\"", "\"3d\""], &[]);
    expect(".kernel_attr SimdSize=<|>", &["8", "16", "32"], &["1"]);
    expect(".kernel_attr NBarrierCnt=<|>", &[], &["8"]);
    expect(".input <|>", &["VUD"], &["P1"]);
    expect(".input VUD <|>", &["offset=", "size="], &[]);
    assert_eq!(
        accepted(".decl Vx v_type=G type=d num_elts=8 align=GR<|>", "GRF"),
        ".decl Vx v_type=G type=d num_elts=8 align=GRF"
    );
    assert_eq!(
        accepted(".decl Vx v_type=G type=d num_elts=8 alias=<<|>", "VUD"),
        ".decl Vx v_type=G type=d num_elts=8 alias=<VUD, 0>"
    );
    assert_eq!(accepted(".kernel_attr Simd<|>", "SimdSize"), ".kernel_attr SimdSize=");
}

#[test]
fn only_what_is_declared_before_is_proposed() {
    let marked = ".version 4.1\n.kernel \"k\"\n.decl Vone v_type=G type=d num_elts=8\nmov (M1, 8) V<|>\n.decl Vtwo v_type=G type=d num_elts=8\n.kernel \"l\"\n.decl Vthree v_type=G type=d num_elts=8\n";
    let list = Client::new().at_cursor("textDocument/completion", marked);
    let found = names(&list);
    assert!(found.contains(&"Vone".to_owned()));
    assert!(!found.contains(&"Vtwo".to_owned()) && !found.contains(&"Vthree".to_owned()), "{found:?}");
}

#[test]
fn very_many_variables_are_proposed_in_parts() {
    let mut declarations = String::new();
    for i in 0..1000 {
        let _ = writeln!(declarations, ".decl Vmany{i:04} v_type=G type=d num_elts=8");
    }
    let mut client = Client::new();
    let list = client.at_cursor("textDocument/completion", &kernel(&declarations, "    mov (M1, 8) V<|>\n"));
    assert_eq!((list["isIncomplete"].as_bool(), names(&list).len()), (Some(true), 200));
    let list = client.at_cursor("textDocument/completion", &kernel(&declarations, "    mov (M1, 8) Vmany0042<|>\n"));
    assert_eq!((list["isIncomplete"].as_bool(), names(&list)), (Some(false), vec!["Vmany0042".to_owned()]));
}

/// Completion does not wait for the text to be read again, and still knows where it is.
#[test]
fn completion_right_after_a_keystroke_knows_the_line() {
    let mut client = Client::new();
    let text = kernel("", "    \n");
    client.check(&text);
    let at = position(&text, text.find("    \n").expect("the line") + 4);
    client.change(2, json!([{ "range": { "start": at, "end": at }, "text": "scatter4_scaled.R (M1, 8) " }]));
    let mut place = at;
    place["character"] = json!(4 + "scatter4_scaled.R (M1, 8) ".len());
    let list = client.request("textDocument/completion", json!({ "textDocument": { "uri": URI }, "position": place }));
    assert!(names(&list).contains(&"T6".to_owned()));
}
