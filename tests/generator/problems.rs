//! What the generator says about faulty rules: every problem, with its line.

use super::{problems, problems_of, sources};

/// A sound instruction `name` with `more` keys, which begin at line 6.
fn instruction(name: &str, more: &str) -> String {
    format!(
        "[{name}]\nsummary = \"Does.\"\nexample = \"(P1) {name} (M1, 8) VUD.0\"\npredicate = \"allowed\"\n\
         document = \"X\"\n{more}"
    )
}

#[track_caller]
fn says(more: &str, wanted: &[&str]) {
    assert_eq!(problems_of(&instruction("x", more)), wanted);
}

#[test]
fn sound_rules_have_no_problems() {
    says("", &[]);
}

#[test]
fn everything_is_reported_at_once() {
    let text = r#"[x]
summary = "does"
exampel = "x"
predicate = "perhaps"
platforms = "PVC..DG2"
exec_sizes = [8, 12]

[[x.operands]]
name = "src"
kind = "vectr"
bytes = "4 * lane"

[[x.operands]]
name = "src"
kind = []
minimum = "one"
"#;
    assert_eq!(
        problems_of(text),
        [
            "2: the summary is a sentence: upper-case start, final stop",
            "3: unknown key `exampel`, did you mean `example`?",
            "4: unknown word `perhaps`, expected `allowed`, `forbidden`, `dropped` or `required`",
            "5: `PVC..DG2`: PVC does not come before DG2",
            "6: 12 is not an execution size",
            "10: unknown kind `vectr`, did you mean `vector`?",
            "11: `bytes`: `lane` has no meaning in the size of an operand",
            "14: the name `src` stands twice",
            "15: `kind` is an empty list",
            "16: invalid type: string \"one\", expected i64",
        ]
    );
}

#[test]
fn broken_syntax_hides_only_the_rest_of_its_file() {
    let broken = format!("{}custom = = 1\ncustom = \"alus\"\n", instruction("x", ""));
    let sources = sources(&[("a.toml", &broken), ("b.toml", &instruction("y", "custom = \"alus\""))]);
    assert_eq!(
        problems(&sources),
        [
            "a.toml:6: extra `=`, expected nothing",
            "a.toml:6: unexpected key or value, expected newline, `#`",
            "a.toml:7: duplicate key",
            "b.toml:6: unknown word `alus`, did you mean `alu`?",
        ]
    );
}

#[test]
fn platforms_types_and_predefined_variables() {
    let mut sources = sources(&[]);
    sources.platforms.text +=
        "\n[[platform]]\nname = \"Dg-2\"\nfull_name = \"X\"\ngrf_bytes = 48\nregister_counts = [128, 64]\n";
    sources.types.text += "wrong = [\"UDD\"]\n";
    sources.predefined.text = sources.predefined.text.replace("[4]", "[5]").replace("name = \"S31\",", "");
    let problems = problems(&sources);
    let tails: Vec<&str> = problems.iter().filter_map(|problem| problem.splitn(3, ':').nth(2)).collect();
    assert_eq!(
        tails,
        [
            " another platform has the name `Dg-2`",
            " registers have 32 or 64 bytes",
            " the numbers of registers have to ascend",
            " there is no element 5",
            " the key `name` is missing",
            " unknown type `UDD`, did you mean `UD`?",
        ]
    );
}

#[test]
fn other_names_lead_to_mnemonics() {
    let mut sources = sources(&[("x.toml", &instruction("flat", ""))]);
    sources.words.text = "[other_names]\neven = [\"flat\"]\n".to_owned();
    assert_eq!(problems(&sources), Vec::<String>::new());
    sources.words.text = "[other_names]\nflat = [\"flat\"]\neven = [\"level\"]\n".to_owned();
    assert_eq!(
        problems(&sources),
        ["rules/words.toml:2: `flat` is a mnemonic", "rules/words.toml:3: `level` is no mnemonic"]
    );
}

#[test]
fn other_modifiers_lead_to_modifiers() {
    let modifiers = "modifiers = [{ name = \"scope\", kind = \"word\", values = [\"group\"] }]";
    let mut sources = sources(&[("x.toml", &instruction("flat", modifiers))]);
    sources.words.text = "[other_modifiers]\nblock = [\"group\"]\neven = [\"level\"]\n".to_owned();
    assert_eq!(problems(&sources), ["rules/words.toml:3: `level` is no modifier"]);
}

#[test]
fn frequent_mnemonics_are_mnemonics_and_stand_once() {
    let mut sources = sources(&[("x.toml", &instruction("flat", ""))]);
    sources.words.text = "often = [\"flat\",\n\"level\"]\n".to_owned();
    assert_eq!(problems(&sources), ["rules/words.toml:2: `level` is no mnemonic"]);
    sources.words.text = "often = [\"flat\",\n\"flat\"]\n".to_owned();
    assert_eq!(problems(&sources), ["rules/words.toml:2: the name `flat` stands twice"]);
}

#[test]
fn reserved_words_are_no_mnemonics() {
    let mut sources = sources(&[("x.toml", &instruction("flat", ""))]);
    sources.words.text = "reserved = [\"flat\", \"arg\"]\nreserved_in_newer_text = [\"surf\"]\n".to_owned();
    assert_eq!(problems(&sources), ["rules/words.toml:1: `flat` is a mnemonic, which is reserved anyway"]);
    sources.words.text = "reserved = [\"arg\"]\nreserved_in_newer_text = [\"surf\", \"arg\"]\n".to_owned();
    assert_eq!(problems(&sources), ["rules/words.toml:2: the name `arg` stands twice"]);
}

#[test]
fn missing_keys_are_named() {
    assert_eq!(
        problems_of("\n[x]\noperands = [\n  { name = \"a\" },\n  { kind = \"raw\" },\n]\n"),
        [
            "2: the key `example` is missing",
            "2: the key `predicate` is missing",
            "2: the key `summary` is missing",
            "4: the key `kind` is missing",
            "5: the key `name` is missing",
        ]
    );
}

#[test]
fn a_dotted_mnemonic_has_to_be_quoted() {
    let text = "[a.b]\nsummary = \"Does.\"\n";
    assert_eq!(problems_of(text), ["1: unknown key `b` (a mnemonic with a dot has to be quoted: [\"NAME.b\"])"]);
}

#[test]
fn examples_begin_with_the_mnemonic() {
    for (example, is_good) in
        [("x", true), ("x.4 T6", true), ("(!P1.any) x (M1, 8)", true), ("xy", false), ("y", false), ("", false)]
    {
        let text = instruction("x", "").replace("(P1) x (M1, 8) VUD.0", example);
        assert_eq!(problems_of(&text).is_empty(), is_good, "{example}");
    }
}

#[test]
fn examples_are_legal_on_some_platform() {
    says("platforms = \"PVC..\"", &["6: the instruction does not exist on DG2, so `example_platform` is needed"]);
    says("platforms = \"PVC..\"\nexample_platform = \"PVC\"", &[]);
    says(
        "platforms = \"PVC..\"\nexample_platform = \"SKL\"",
        &["7: `example_platform`: the instruction does not exist on SKL"],
    );
}

#[test]
fn platform_sets() {
    says("platforms = \"XeHP_SDV.., !MTL, !PVC..PVCXT\"", &[]);
    says("platforms = \"all, !DG3\"", &["6: unknown platform `DG3`, did you mean `DG2`?"]);
    says("platforms = \"!MTL\"", &["6: `!MTL` takes away from nothing: begin with `all`"]);
    says("platforms = \"DG2, !MTL\"", &["6: `!MTL` takes away what is not in the set"]);
    says("platforms = \"DG2, !DG2\"", &["6: no platform is left"]);
    says(
        "platforms = \"all\"\nplatforms_seen = \"MTL\"",
        &["7: some of these platforms stand already in another tier"],
    );
    says("platforms = \"all\"\nplatforms_seen = \"\"", &[]);
}

#[test]
fn tiers_do_not_overlap() {
    says(
        "exec_sizes = [8, 16]\nexec_sizes_seen = [16]",
        &["7: the size 16 stands already in this list or another tier"],
    );
    says(
        "operands = [{ name = \"a\", kind = \"raw\", types = [\"integer\"],\n types_seen = [\"F\", \"D\"] }]",
        &["7: the type `D` stands already in this list or another tier"],
    );
}

#[test]
fn modifiers() {
    says(
        "modifiers = [{ name = \"m\", kind = \"word\", values = [\"a\", \"b\"],\n numbers = [1] }]",
        &["7: 1 numbers for 2 values"],
    );
    says(
        "modifiers = [{ name = \"m\", kind = \"number\", values = [1, 2, 1] }]",
        &["6: the value `1` stands already in this list or another tier"],
    );
    says(
        "modifiers = [{ name = \"m\", kind = \"number\", values = [\"a\"] }, { name = \"n\", kind = \"word\" }]",
        &["6: a modifier of this kind needs `values`", "6: expected a number"],
    );
    says(
        "modifiers = [{ name = \"m\", kind = \"channel_mask\", values = [\"R\"] }]",
        &["6: a modifier of this kind has no `values`"],
    );
    says(
        "modifiers = [{ name = \"m\", kind = \"word\", values = [\"a\"], values_tolerated = [\"b\"],\n \
         values_by_platform = [{ platforms = \"PVC..\", values = [\"b\"] }] }]",
        &[],
    );
}

#[test]
fn operands() {
    says(
        "operands = [{ name = \"a\", kind = \"raw\", variadic = true },\n { name = \"b\", kind = \"raw\" }]",
        &["6: only the last operand can be variadic"],
    );
    says(
        "operands = [{ name = \"a\", kind = \"number\", minimum = 3, maximum = 2 }]",
        &["6: `minimum` is greater than `maximum`"],
    );
    says(
        "operands = [{ name = \"lane\", kind = \"number\" }, { name = \"B\", kind = \"number\" }]",
        &["6: `lane` has another meaning in formulas", "6: the name `B` is not snake_case"],
    );
    says(
        "execution = \"pair\"\noperands = [{ name = \"a\", kind = \"number\" }]",
        &["1: the first 2 operands stand in parentheses, but only 1 are sure"],
    );
    says(
        "operands = [{ name = \"a\", kind = \"surface\", types = [\"UD\"], words = [\"x\"], maximum = 1 }]",
        &[
            "6: `words` is for the kind `keyword`",
            "6: operands of this kind have no type",
            "6: this key is for immediates and numbers",
        ],
    );
}

#[test]
fn names_in_formulas() {
    let with = |bytes: &str| {
        format!(
            "modifiers = [{{ name = \"m\", kind = \"word\", values = [\"a\"] }}]\noperands = [{{ name = \"n\", \
             kind = \"vector\" }}, {{ name = \"a\", kind = \"raw\", bytes = \"{bytes}\" }}]"
        )
    };
    says(&with("type_bytes * exec_size + grf_bytes"), &[]);
    says(
        &with("exec_sise + lanes"),
        &[
            "7: `bytes`: unknown name `exec_sise`, did you mean `exec_size`?",
            "7: `bytes`: unknown name `lanes`, did you mean `lane`?",
        ],
    );
    says(&with("n_channels"), &["7: `bytes`: `n_channels` needs a modifier of kind `channel_mask`"]);
    says(&with("n"), &["7: `bytes`: `n` is never an immediate or a number: a size cannot depend on it"]);
    says(&with("m"), &["7: `bytes`: the modifier `m` has no number: it is not a number, nor a word with `numbers`"]);
}

#[test]
fn accesses() {
    let with = |access: &str| {
        format!(
            "operands = [{{ name = \"base\", kind = \"scalar\" }}, {{ name = \"offsets\", kind = \"raw\" }},\
             {{ name = \"dst\", kind = \"raw\", role = \"destination\" }}]\n\
             accesses = [{{ kind = \"read\", memory = \"svm\", each = [\"lane\"], out_of_bounds = \"zero\",\n{access} }}]"
        )
    };
    says(&with("address = \"base + offsets[lane]\", bytes = \"4\", value = \"dst[lane]\""), &[]);
    says(
        &with("address = 0, bytes = 4, value = \"offsets[lane]\""),
        &["8: `value`: the `role` of `offsets` does not fit this `kind`"],
    );
    says(
        &with("address = \"offsets + base[lane] + ofsets[lane] + channel\""),
        &[
            "7: the key `bytes` is missing",
            "8: `address`: `channel` needs `channel` in `each`",
            "8: `address`: the operand `base` has no elements: write `base`",
            "8: `address`: the operand `offsets` is not scalar: write `offsets[lane]`",
            "8: `address`: there is no operand `ofsets`, did you mean `offsets`?",
        ],
    );
    says(
        &with("address = \"0\", bytes = 4, value = \"base\", coordinates = [\"u\"]"),
        &[
            "8: `coordinates` are for the memory `typed`",
            "8: `value` is an element of an operand: `name[index]`",
            "8: unknown operand `u`",
        ],
    );
    let write = with("address = 0, bytes = 4").replace("\"read\"", "\"write\"");
    says(&write, &["7: the key `same_address` is missing"]);
}

#[test]
fn operations_are_the_variants_of_the_enum() {
    says("operation = \"addr_add\"", &[]);
    says("operation = \"shll\"", &["6: unknown word `shll`, did you mean `shl`?"]);
}

#[test]
fn alu_instructions_say_their_family() {
    says("custom = \"alu\"", &["1: the key `family` is missing", "1: the key `lanes` is missing"]);
    let alu = |more: &str| format!("custom = \"alu\"\nfamily = \"logic\"\nlanes = \"separate\"\n{more}");
    says(&alu("checks = [\"bit_field\"]"), &[]);
    says(
        &alu("checks = [\"bitfield\", \"division\", \"division\"]"),
        &["9: `division` stands twice", "9: unknown word `bitfield`, did you mean `bit_field`?"],
    );
    says(&alu("immediate_bits = 16"), &["9: no operand of this instruction is an immediate"]);
    says("family = \"logic\"", &["6: `family` is for `custom = \"alu\"`"]);
}

#[test]
fn barriers_markers_and_parameters() {
    says("custom = \"barrier\"", &["1: the key `barrier` is missing"]);
    says("custom = \"barrier\"\nbarrier = \"named_wait\"", &[]);
    says("barrier = \"group\"", &["6: `barrier` is for `custom = \"barrier\"`"]);
    says("marker = \"line\"\nflow = \"jump\"", &["6: a marker has no effect: no `flow`, `accesses` or `effects`"]);
    let parameters = "operands = [{ name = \"parameters\", kind = \"raw\", variadic = true }]";
    says(parameters, &["1: the key `parameter_types` is missing"]);
    says(&format!("{parameters}\nparameters = [\"u\"]\nparameter_types = \"float\""), &[]);
    says("parameters = [\"u\"]", &["6: this instruction has no operand `parameters`"]);
}

#[test]
fn saturation_on_some_platforms() {
    says("saturate = \"allowed\"\nsaturate_platforms = \"XE3..\"", &[]);
    says("saturate_platforms = \"XE3..\"", &["6: this key goes along with `saturate`"]);
    says(
        "saturate = \"allowed\"\nsaturate_platforms = \"all\"",
        &["7: these are all platforms of the instruction: the key has no effect"],
    );
}

#[test]
fn elements_that_regions_do_not_say() {
    says("operands = [{ name = \"a\", kind = \"general\", elements = \"2 * exec_size\" }]", &[]);
    says(
        "operands = [{ name = \"a\", kind = \"raw\", packed = true }]",
        &["6: this key is for operands with a region"],
    );
    says(
        "operands = [{ name = \"a\", kind = \"general\", elements = 4,\n packed = true }]",
        &["7: `elements` says it already"],
    );
}

#[test]
fn one_mnemonic_in_two_files() {
    let sources = sources(&[("a.toml", &instruction("x", "")), ("b.toml", &format!("\n{}", instruction("x", "")))]);
    assert_eq!(problems(&sources), ["b.toml:2: `x` stands already in a.toml:1"]);
}

#[test]
fn like_names_an_entry_of_the_file() {
    let text = format!("{}[y]\nlike = \"xx\"\n", instruction("x", ""));
    assert_eq!(problems_of(&text), ["7: `like`: no entry `xx` in this file, did you mean `x`?"]);
}

#[test]
fn like_may_not_go_round_in_a_circle() {
    let text = format!("{}like = \"y\"\n{}like = \"x\"\n", instruction("x", ""), instruction("y", ""));
    assert_eq!(
        problems_of(&text),
        ["6: `like` goes round in a circle: x, y, x", "12: `like` goes round in a circle: y, x, y"]
    );
}

#[test]
fn a_fault_that_is_taken_over_is_told_once() {
    let text = format!("{}custom = \"alus\"\n[y]\nlike = \"x\"\nexample = \"y\"\n", instruction("x", ""));
    assert_eq!(problems_of(&text).len(), 1);
}

#[test]
fn a_fault_that_comes_of_taking_over_names_the_entry() {
    let text = format!("{}[y]\nlike = \"x\"\n", instruction("x", ""));
    assert_eq!(problems_of(&text), ["3: the example does not begin with `y` (as taken over by `y`)"]);
}
