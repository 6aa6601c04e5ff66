//! Hover, signature help, and the command that explains.

use super::client::{Client, URI, cursor, of};
use crate::support::{files, kernel, tests_folder};
use serde_json::{Value, json};

/// The hover at a cursor in the body of a kernel: its text, and what it is about.
fn hover_in(client: &mut Client, declarations: &str, line: &str) -> (String, String) {
    let marked = kernel(declarations, &format!("    {line}\n"));
    let (text, _) = cursor(&marked);
    let hover = client.at_cursor("textDocument/hover", &marked);
    assert_ne!(hover, Value::Null, "no hover in {line}");
    (hover["contents"]["value"].as_str().expect("text").to_owned(), of(&text, &hover["range"]).to_owned())
}

#[track_caller]
fn expect(line: &str, about: &str, words: &[&str]) {
    let mut client = Client::new();
    let (text, place) = hover_in(&mut client, "", line);
    assert_eq!(place, about, "{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is missing in\n{text}");
    }
}

#[test]
fn an_instruction_shows_its_row() {
    expect(
        "scat<|>ter4_scaled.RG (M1, 16) T6 0x0:ud VUD.0 VUD.256",
        "scatter4_scaled",
        &[
            "```visa\n[(P)] scatter4_scaled.<channels> (mask, exec_size) surface",
            "exec sizes",
            "platforms",
            "writes the surface",
            "address",
            "SCATTER4_SCALED.md",
        ],
    );
    // Right behind the word counts, too, and dots may belong to it.
    expect("nbarrier.signal<|> 0x1:ud 0x20:uw", "nbarrier.signal", &["nbarrier.signal"]);
}

#[test]
fn the_parts_of_an_instruction_are_told_apart() {
    expect("scatter4_scaled.R<|>G (M1, 16) T6 0x0:ud VUD.0 VUD.256", ".RG", &["channels R, G"]);
    expect(
        "add (M<|>5_NM, 16) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d",
        "(M5_NM, 16)",
        &["16 lanes: 16 to 31", "NoMask", "execution sizes"],
    );
    expect(
        "(!P<|>1.any) add (M1, 16) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d",
        "(!P1.any)",
        &["if any bit of `P1` is 0", "32 bits"],
    );
}

/// Surfaces, addresses and registers at an address are read and written like variables of registers.
#[test]
fn uses_of_every_kind_of_variable_are_counted() {
    let body = "    addr_add (M1, 1) A0(0)<1> &VUD[0] 0x20:uw\n    mov (M1, 8) r[A0(0), 0]<1>:ud 0x1:ud\n    \
                mov (M1, 8) VD(0,0)<1> VUD(1,0)<1;1,0>\n    mov (M1, 8) VD(1,0)<1> r[A0(0), 0]<8;8,1>:d\n    \
                movs (M1, 2) T7(2) VD(0,0)<1;1,0>\n    movs (M1, 1) T6(0) VD(1,0)<0;1,0>\n    \
                oword_ld (2) T6 0x0:ud VB.0\n    movs (M1, 1) VD(2,0)<1> T7(3)\n    \
                lsc_load.ugm (M1, 16) VF:d32 flat[VUQ]:a64\n    \
                lsc_load_block2d.ugm (M1, 1) VHF:d16.16x8nn flat[VUQ(2,0),0x10,0x10,0x10,VD(0,1),0x0]\n";
    let hover = |text: &str| {
        let mut client = Client::with(super::client::capable(), json!({ "platforms": ["PVC"] }), &[]);
        let found = client.at_cursor("textDocument/hover", text);
        found["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let first = kernel("", body).lines().position(|line| line.contains("addr_add")).expect("the line") + 1;
    let text = kernel("", body);
    for (declared, words) in [
        ("A0", format!("read 2 times, written once in line {first} under this name")),
        ("T6", format!("read once, written once in line {} under this name", first + 5)),
        ("T7", format!("read once, written once in line {} under this name", first + 4)),
        ("VUQ", "read 2 times, written never under this name".to_owned()),
        ("VUD", "its address is taken".to_owned()),
    ] {
        let marked = text.replacen(&format!(".decl {declared} "), &format!(".decl <|>{declared} "), 1);
        let found = hover(&marked);
        assert!(found.contains(&words), "{words} is missing in\n{found}");
    }
    for (marked, words) in [
        ("oword_ld (2) <|>T6", format!("last written: line {}", first + 5)),
        ("VD(2,0)<1> <|>T7(3)", format!("last written: line {}", first + 4)),
        ("VD(0,0)<1> <|>VUD(1,0)", format!("last written: line {}", first + 1)),
        ("flat[VUQ(2,0),0x10,0x10,0x10,<|>VD(0,1)", "general variable, 512".to_owned()),
    ] {
        let plain = marked.replace("<|>", "");
        let found = hover(&text.replacen(&plain, marked, 1));
        assert!(found.contains(&words), "{words} is missing in\n{found}");
    }
}

#[test]
fn modifiers_predicates_and_numbers_are_explained() {
    expect("bfn.x<|>80 (M1, 16) VUD(0,0)<1> VUD(0,0)<1;1,0> VUD(0,0)<1;1,0> VUD(0,0)<1;1,0>", ".x80", &["truth table"]);
    expect("oword_ld (<|>2) T6 0x0:ud VUD.0", "(2)", &["2 blocks"]);
    expect("(!P<|>1) mov (M1, 16) VD(0,0)<1> 0x1:d", "(!P1)", &["executed in lanes whose bit of `P1` is 0"]);
    expect("(P<|>1.all) jmp (M1, 1) label_1", "(P1.all)", &["executed if all bits of `P1` are 1"]);
    expect("(!P<|>1.all) jmp (M1, 1) label_1", "(!P1.all)", &["executed if all bits of `P1` are 0"]);
    expect("fcall (M1, 16) callee <|>2 1", "2", &["2 = 0x2"]);
    expect("mov (M1, 1) %nu<|>ll(0,0)<1> VD(0,0)<0;1,0>", "%null(0,0)<1>", &["`%null`: nothing is read or written"]);
    expect(
        "mov (M1, 1) VUD(0,0)<1> %s<|>r0(0,0)<0;1,0>",
        "%sr0(0,0)<0;1,0>",
        &["of which only some elements may be written"],
    );
    // A word that stands for one value on some platforms and for another one elsewhere is listed once.
    let mut client = Client::new();
    let (text, _) = hover_in(&mut client, "", "dpas.t<|>f32.tf32.8.8 (M1, 16) VF.0 VF.0 VF.0 VF(0,0)");
    assert_eq!(text.matches("`.tf32`").count(), 2, "as it is written, and in the list: {text}");
}

#[test]
fn attributes_are_explained() {
    for (directive, words) in [
        (".kernel_attr Simd<|>Size=8", "takes a number"),
        (".kernel_attr NoB<|>arrier", "takes no value"),
        (".kernel_attr Tar<|>get=\"cm\"", "takes `\"cm\"` or `\"3d\"`"),
        (".kernel_attr Asm<|>Name=\"x\"", "takes a quoted string"),
        (".decl V<|>X v_type=G type=d num_elts=8 align=GRF attrs={Output}", "; an output"),
        (".implicit_LOCAL<|>_SIZE VUD offset=32 size=12", "a value that the runtime supplies"),
    ] {
        let hover = Client::new().at_cursor("textDocument/hover", &kernel(&format!("{directive}\n"), ""));
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains(words), "{directive}: {hover}");
    }
}

#[test]
fn an_operand_shows_its_declaration_and_its_bytes() {
    let mut client = Client::with(super::client::capable(), json!({ "platforms": ["DG2"] }), &[]);
    let (text, place) = hover_in(
        &mut client,
        ".decl Va v_type=G type=f num_elts=24 align=GRF\n",
        "mov (M1, 8) Va(1,0)<1> V<|>a(2,0)<0;1,0>",
    );
    assert_eq!(place, "Va(2,0)<0;1,0>");
    for word in [
        "**src0** of `mov`: read",
        ".decl Va v_type=G type=f num_elts=24",
        "24 × `f` = 96 bytes, 3 registers",
        "bytes 64 to 67 of 96: register 2 of 32 bytes",
        "+64 │  *",
    ] {
        assert!(text.contains(word), "`{word}` is missing in\n{text}");
    }
    let (text, _) = hover_in(
        &mut client,
        ".decl Va v_type=G type=uw num_elts=40 align=GRF\n",
        "mov (M1, 8) VD(0,0)<1> V<|>a(1,1)<16;8,2>",
    );
    assert!(text.contains("+32 │  ·  0  ·  1  ·  2  ·  3  ·  4  ·  5  ·  6  ·  7 │"), "{text}");
}

#[test]
fn raw_operands_are_drawn_by_lane_and_channel() {
    let mut client = Client::with(super::client::capable(), json!({ "platforms": ["DG2"] }), &[]);
    let (text, place) = hover_in(&mut client, "", "gather4_scaled.RB (M1, 8) T6 0x0:ud VUD.0 VU<|>D.64");
    assert_eq!(place, "VUD.64");
    for word in [
        "of `gather4_scaled`: written",
        "bytes 64 to 127 of 2048: registers 2 to 3 of 32 bytes",
        "+64 │ R0 R1 R2 R3 R4 R5 R6 R7 │",
        "+96 │ B0 B1 B2 B3 B4 B5 B6 B7 │",
    ] {
        assert!(text.contains(word), "`{word}` is missing in\n{text}");
    }
}

#[test]
fn both_register_sizes_are_shown_if_the_platform_is_open() {
    let mut client = Client::new();
    let (text, _) = hover_in(&mut client, "", "mov (M1, 16) VD(0,0)<1> VD<|>2(1,0)<1;1,0>");
    assert!(text.contains("registers 1 to 2 of 32 bytes, if") && text.contains("register 1 of 64 bytes, if"), "{text}");
}

#[test]
fn other_operands_are_described() {
    expect("mov (M1, 8) VF(0,0)<1> 0x3f<|>800000:f", "0x3f800000:f", &["1.0 = 0x3f800000"]);
    expect(
        "mov (M1, 8) VD(0,0)<1> r[A<|>0(2), 16]<8;8,1>:d",
        "r[A0(2), 16]<8;8,1>:d",
        &["byte address `A0(2)` + 16", "16 addresses"],
    );
    expect("jmp (M1, 1) lab<|>el_1", "label_1", &["label `label_1` in line", "further up"]);
    expect(
        "scatter4_scaled.R (M1, 8) %s<|>lm 0x0:ud VUD.0 VUD.64",
        "%slm",
        &["`%slm`: surface variable", "predefined"],
    );
    expect(
        "lsc_load.ugm (M1, 16) VUD:d32x2 fl<|>at[VUQ]:a64",
        "flat[VUQ]:a64",
        &["64 bits for each lane", "`VUQ`: general variable"],
    );
    expect("lsc_load.ugm (M1, 16) V<|>UD:d32x2 flat[VUQ]:a64", "VUD:d32x2", &["bytes 0 to 127"]);
}

#[test]
fn declarations_and_directives_are_described() {
    let mut client = Client::new();
    for (declaration, words) in [
        (".decl V<|>x v_type=G type=d num_elts=8 alias=<VUD, 32>\n", "begins at byte 32 of `VUD`"),
        (".decl Vx v_type=G type=d<|> num_elts=8 alias=<VUD, 32>\n", "`d`: signed, 4 bytes"),
        (".decl Vx v_type=G type=d num_elts=8 alias=<VU<|>D, 32>\n", "`VUD`: general variable"),
        (".de<|>cl Vx v_type=G type=d num_elts=8\n", "Declares a variable"),
        (".kernel_attr SLM<|>Size=4\n", "takes a number"),
    ] {
        let hover = client.at_cursor("textDocument/hover", &kernel(declaration, ""));
        let text = hover["contents"]["value"].as_str().expect("text");
        assert!(text.contains(words), "{text}");
    }
    let hover = client.at_cursor(
        "textDocument/hover",
        &kernel("", "    add (M1, 8) VF(0,0)<1> VF(1,0)<8;8,1> VF(2,0)<8;8,1>\n").replacen(
            ".decl VF ",
            ".decl VF<|> ",
            1,
        ),
    );
    assert!(
        hover["contents"]["value"].as_str().expect("text").contains("read 2 times, written once in line"),
        "{hover}"
    );
}

#[test]
fn nothing_is_said_about_nothing() {
    let mut client = Client::new();
    for marked in [kernel("", "    // a comm<|>ent\n"), kernel("", "<|>\n"), "<|>".to_owned()] {
        assert_eq!(client.at_cursor("textDocument/hover", &marked), Value::Null);
    }
}

/// No place of real programs, however broken, may bring the server down.
#[test]
fn every_place_can_be_asked_about() {
    let mut client = Client::new();
    for file in files(&tests_folder().join("compiler_output"), "visaasm").iter().step_by(9) {
        let text: String =
            std::fs::read_to_string(file).expect("a file").split_inclusive('\n').skip(30).step_by(7).take(60).collect();
        client.open(&text);
        let lines: Vec<&str> = text.lines().collect();
        for (line, words) in lines.iter().enumerate() {
            for column in (0..words.len()).step_by(5) {
                let at = json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": column } });
                for method in [
                    "textDocument/hover",
                    "textDocument/completion",
                    "textDocument/signatureHelp",
                    "textDocument/definition",
                ] {
                    client.request(method, at.clone());
                }
            }
        }
    }
}

// ---- signature help ----

fn signature(marked_line: &str) -> (String, Option<String>) {
    let mut client = Client::new();
    let help = client.at_cursor("textDocument/signatureHelp", &kernel("", &format!("    {marked_line}\n")));
    if help == Value::Null {
        return (String::new(), None);
    }
    let label = help["signatures"][0]["label"].as_str().expect("a label").to_owned();
    let active = help["activeParameter"].as_u64().expect("a number") as usize;
    let parameter = help["signatures"][0]["parameters"].get(active).map(|p| {
        let at = |i: usize| p["label"][i].as_u64().expect("an offset") as usize;
        label[at(0)..at(1)].to_owned()
    });
    (label, parameter)
}

#[test]
fn the_operand_that_comes_next_is_marked() {
    let scatter = "[(P)] scatter4_scaled.<channels> (mask, exec_size) surface offset element_offset src";
    for (line, active) in [
        ("scatter4_scaled.RG (<|>", None),
        ("scatter4_scaled.RG (M1, 16) <|>", Some("surface")),
        ("scatter4_scaled.RG (M1, 16) T6 <|>", Some("offset")),
        ("scatter4_scaled.RG (M1, 16) T6 0x0:ud VUD.0<|>", Some("element_offset")),
        ("scatter4_scaled.RG (M1, 16) T6 0x0:ud VUD.0 VUD<|>.64", Some("src")),
    ] {
        assert_eq!(signature(line), (scatter.to_owned(), active.map(str::to_owned)), "{line}");
    }
    assert_eq!(signature("// scatter4_scaled.RG (<|>").1, None);
    assert_eq!(signature("nosuch (<|>").0, "");
}

// ---- explaining ----

#[test]
fn rules_and_instructions_are_explained() {
    let mut client = Client::new();
    let explain = |client: &mut Client, arguments: Value| {
        client.request("workspace/executeCommand", json!({ "command": "visa-lint.explain", "arguments": arguments }))
    };
    let page = explain(&mut client, json!(["operand-out-of-bounds"]));
    let page = page.as_str().expect("a page");
    assert!(page.starts_with("# operand-out-of-bounds\n") && page.contains("```visa\n"), "{page}");
    assert!(
        client.notification("window/showMessage")["message"]
            .as_str()
            .expect("text")
            .starts_with("operand-out-of-bounds: An operand that reaches")
    );
    let page = explain(&mut client, json!(["gather4_scaled", true]));
    assert!(page.as_str().expect("a page").contains("```text"));
    assert!(!client.has_come("window/showMessage", std::time::Duration::from_millis(50)), "the client shows it itself");
    let refusal = client.refused(
        "workspace/executeCommand",
        json!({ "command": "visa-lint.explain", "arguments": ["operand-out-of-bound"] }),
    );
    assert!(refusal.message.contains("did you mean `operand-out-of-bounds`?"));
    assert_eq!(client.refused("workspace/executeCommand", json!({ "command": "rm" })).code, -32602);
    let names = client.request("workspace/executeCommand", json!({ "command": "visa-lint.names" }));
    for (name, kind) in [("operand-out-of-bounds", "rule"), ("gather4_scaled", "instruction")] {
        let mut all = names.as_array().expect("a list").iter();
        let found = all.find(|n| n["name"] == name).expect("the name");
        assert_eq!(found["kind"], kind);
        assert!(found["summary"].as_str().is_some_and(|s| s.len() > 10), "{found}");
    }
}

#[test]
fn links_lead_to_the_pages_that_the_client_names() {
    let pages = json!({ "pages": "https://host.example/pages/" });
    let capabilities = json!({ "textDocument": {
        "publishDiagnostics": { "codeDescriptionSupport": true }, "hover": { "contentFormat": ["markdown"] } } });
    let mut client = Client::with(capabilities.clone(), pages.clone(), &[]);
    let page = client.request(
        "workspace/executeCommand",
        json!({ "command": "visa-lint.explain", "arguments": ["operand-out-of-bounds", true] }),
    );
    let link = "(https://host.example/pages/rules/operand-out-of-bounds.html)";
    assert!(page.as_str().is_some_and(|page| page.contains(link)), "{page}");
    let text = kernel("", "    ad<|>d (M1, 8) VD(0,0)<1> VD(0,0)<1;1,0> 0x1:d\n");
    let hover = client.at_cursor("textDocument/hover", &text);
    let link = "(https://host.example/pages/instructions/add.html)";
    assert!(hover["contents"]["value"].as_str().is_some_and(|page| page.contains(link)), "{hover}");
    let findings =
        Client::with(capabilities, pages, &[]).check(&kernel("", "    add (M1, 8) VD(0,0)<1> VX(0,0)<1;1,0> 0x1:d\n"));
    assert_eq!(findings[0]["codeDescription"]["href"], "https://host.example/pages/rules/undeclared-variable.html");
}

#[test]
fn a_source_says_what_abstract_execution_knows_of_it() {
    let mut client = Client::new();
    let before =
        "    mov (M1_NM, 8) VUD(0,0)<1> 0x33221100:uv\n    shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud\n";
    let hover = |client: &mut Client, lines: &str| {
        let found = client.at_cursor("textDocument/hover", &kernel("", &format!("{before}{lines}")));
        found["contents"]["value"].as_str().expect("text").to_owned()
    };
    let raw = hover(&mut client, "    scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VU<|>D.0 VF.0\n");
    assert!(raw.contains("it is `0`, `0`, `4`, `4`, `8`, `8`, `0xc`, `0xc`"), "{raw}");
    let one = "    mov (M1_NM, 1) VD(3,0)<1> 0x7:d\n    add (M1, 8) VD(0,0)<1> V<|>D(3,0)<0;1,0> VD2(0,0)<1;1,0>\n";
    let one = hover(&mut client, one);
    assert!(one.contains("in each lane that is active it is `7`"), "{one}");
    let input = hover(&mut client, "    add (M1, 8) VD(0,0)<1> V<|>D(9,0)<1;1,0> VD2(0,0)<1;1,0>\n");
    assert!(!input.contains("abstract execution"), "nothing is known of what nothing has written: {input}");
}

#[test]
fn what_does_not_matter_for_a_value_is_not_executed_for_it() {
    let mut client = Client::new();
    let first = "    mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv\n";
    // More than can be executed while a request waits, and a branch that has nothing to do with it.
    let filler = "    mad (M1, 16) VF(0,0)<1> VF2(0,0)<1;1,0> VF2(2,0)<1;1,0> VF(0,0)<1;1,0>\n".repeat(6000);
    let branch = "    (P1) goto (M1, 16) further\n    lsc_load.ugm (M1, 16) VF2:d32 flat[VUQ]:a64\nfurther:\n";
    let used = "    shl (M1_NM, 8) VUD(0,0)<1> V<|>UD(0,0)<1;1,0> 0x2:ud\n";
    let body = format!("{first}{filler}{branch}{filler}{used}{filler}");
    let found = client.at_cursor("textDocument/hover", &kernel("", &body));
    let text = found["contents"]["value"].as_str().expect("text");
    assert!(text.contains("it is `0`, `1`, `2`, `3`, `4`, `5`, `6`, `7`"), "{text}");
    // Where everything matters, nothing is said.
    let chain = "    mad (M1, 16) VD(0,0)<1> VD2(0,0)<1;1,0> VD2(2,0)<1;1,0> VD(0,0)<1;1,0>\n".repeat(6000);
    let used = "    add (M1, 16) VD(0,0)<1> V<|>D(0,0)<1;1,0> 0x2:d\n";
    let found = client
        .at_cursor("textDocument/hover", &kernel("", &format!("    mov (M1, 16) VD(0,0)<1> 0x0:d\n{chain}{used}")));
    assert!(!found["contents"]["value"].as_str().expect("text").contains("abstract execution"));
}
