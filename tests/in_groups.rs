//! What the number of a thread in its group says, and what its local ids say of the barriers that it comes to.

use crate::support::on;
use std::sync::Arc;
use visa_lint::base::rule::Level;
use visa_lint::checks::execution::race::WORK_ITEM_RACE;
use visa_lint::checks::{self, KernelFacts, LaunchFacts, Options};
use visa_lint::interp::launch::Payload;
use visa_lint::spec::Platform;

/// Rules and messages of what is found in a SIMD16 kernel with these statements, in groups of 64.
fn found(platform: &str, statements: &str) -> Vec<(&'static str, String)> {
    found_in(platform, LaunchFacts { local_size: Some([64, 1, 1]), ..LaunchFacts::default() }, statements)
}

/// The same in groups of which something else is known.
fn found_in(platform: &str, launch: LaunchFacts, statements: &str) -> Vec<(&'static str, String)> {
    let grf = Platform::from_name(platform).expect("a platform").grf_bytes();
    let (y, z, n, sizes, thread_bytes) = (2 * grf, 3 * grf, 4 * grf, 4 * grf + 4, 3 * grf);
    let text = format!(
        ".version 4.2\n.kernel \"k\"\n\
         .decl x v_type=G type=w num_elts=16 align=GRF\n.decl y v_type=G type=w num_elts=16 align=GRF\n\
         .decl z v_type=G type=w num_elts=16 align=GRF\n.decl sizes v_type=G type=d num_elts=3 align=dword\n\
         .decl n v_type=G type=d num_elts=1 align=dword\n.decl i v_type=G type=d num_elts=1 align=dword\n\
         .decl header v_type=G type=ub num_elts=32 align=GRF alias=<%r0, 0>\n\
         .decl place v_type=G type=ud num_elts=16 align=GRF\n.decl other v_type=G type=ud num_elts=16 align=GRF\n\
         .decl got v_type=G type=ud num_elts=16 align=GRF\n.decl P1 v_type=P num_elts=1\n.decl P16 v_type=P num_elts=16\n\
         .decl P8 v_type=P num_elts=8\n.decl left v_type=G type=uw num_elts=1 align=dword\n\
         .decl done v_type=G type=uw num_elts=1 align=dword\n\
         .input x offset={grf} size=32\n.input y offset={y} size=32\n.input z offset={z} size=32\n\
         .input n offset={n} size=4\n.input sizes offset={sizes} size=12\n\
         .kernel_attr Target=\"3d\"\n.kernel_attr SimdSize=16\n.kernel_attr PerThreadInputSize={thread_bytes}\n\
         {statements}    ret (M1_NM, 1)\n"
    );
    let platform = Platform::from_name(platform).expect("a platform");
    let mut options = Options { launch, pedantic: true, ..on(platform) };
    options.levels.insert(WORK_ITEM_RACE.name, Level::Warning);
    checks::check(&text, &options).into_iter().map(|d| (d.rule.name, d.message)).collect()
}

fn barriers(statements: &str) -> Vec<String> {
    found("DG2", statements).into_iter().filter(|(rule, _)| *rule == "partial-barrier").map(|(_, said)| said).collect()
}

#[test]
fn who_comes_to_barriers_more_or_less_often_is_named() {
    // As many turns as the greatest local id of a thread.
    let turns = "    mov (M1_NM, 1) i(0,0)<1> 0x0:d\nturn:\n    add (M1_NM, 1) i(0,0)<1> i(0,0)<0;1,0> 0x1:d\n    \
                 barrier\n    cmp.lt (M1, 16) P16 i(0,0)<0;1,0> x(0,0)<1;1,0>\n    (P16) goto (M1, 16) turn\n";
    let expected = "the thread of work-item (0, 0, 0) comes to this `barrier` 15 times, \
                    the thread of work-item (48, 0, 0) 63 times";
    assert_eq!(barriers(turns), [expected]);
    // Some do not come to it at all.
    let skip = "    cmp.lt (M1_NM, 1) P1 x(0,0)<0;1,0> 0x20:w\n    (P1) jmp (M1_NM, 1) over\n    barrier\nover:\n";
    let expected = "the thread of work-item (0, 0, 0) comes to this `barrier` never, \
                    the thread of work-item (32, 0, 0) once";
    assert_eq!(barriers(skip), [expected]);
}

#[test]
fn the_same_number_of_barriers_is_no_fault() {
    let loops = |bound: &str| {
        format!(
            "    mov (M1_NM, 1) i(0,0)<1> 0x0:d\nturn:\n    add (M1_NM, 1) i(0,0)<1> i(0,0)<0;1,0> 0x1:d\n    barrier\n    \
             cmp.lt (M1_NM, 1) P1 i(0,0)<0;1,0> {bound}\n    (P1) jmp (M1_NM, 1) turn\n"
        )
    };
    assert_eq!(barriers(&loops("0x8:d")), [""; 0]);
    assert_eq!(barriers(&loops("n(0,0)<0;1,0>")), [""; 0]);
    let either = "    cmp.lt (M1_NM, 1) P1 x(0,0)<0;1,0> 0x20:w\n    (P1) jmp (M1_NM, 1) lower\n    barrier\n    \
                  jmp (M1_NM, 1) both\nlower:\n    barrier\nboth:\n";
    assert_eq!(barriers(either), [""; 0]);
    // Whether all come to it depends on an argument.
    let argument = "    cmp.lt (M1_NM, 1) P1 n(0,0)<0;1,0> 0x20:d\n    (P1) jmp (M1_NM, 1) over\n    barrier\nover:\n";
    assert_eq!(barriers(argument), [""; 0]);
}

/// Each thread stores where its number says, and loads what `offset` says.
fn slots(offset: &str) -> String {
    format!(
        "    shl (M1_NM, 1) place(0,0)<1> header(0,8)<0;1,0> 0x2:ud\n    \
         {offset} (M1_NM, 1) other(0,0)<1> place(0,0)<0;1,0> 0x4:ud\n    \
         lsc_store.slm (M1_NM, 1) flat[place]:a32 place:d32\n    lsc_load.slm (M1_NM, 1) got:d32 flat[other]:a32\n    \
         mov (M1_NM, 1) i(0,0)<1> got(0,0)<0;1,0>\n    lsc_store.slm (M1_NM, 1) flat[place]:a32 i:d32\n"
    )
}

fn races(platform: &str, statements: &str) -> usize {
    found(platform, statements).iter().filter(|(rule, _)| *rule == "work-item-race").count()
}

#[test]
fn the_header_tells_the_number_within_a_group() {
    // The slot of the neighbour, and the own one.
    assert!(races("DG2", &slots("xor")) > 0);
    assert_eq!(races("DG2", &slots("xor").replace("flat[other]", "flat[place]")), 0);
}

#[test]
fn what_may_be_the_size_of_the_group_is_no_argument() {
    let under = |what: &str| {
        let text = format!(
            "    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
             xor (M1, 16) other(0,0)<1> place(0,0)<1;1,0> 0x40:ud\n    lsc_store.slm (M1, 16) flat[place]:a32 place:d32\n    \
             cmp.gt (M1_NM, 1) P1 {what}(0,0)<0;1,0> 0x1ff:d\n    (!P1) jmp (M1_NM, 1) end\n    \
             lsc_load.slm (M1, 16) got:d32 flat[other]:a32\n    lsc_store.slm (M1, 16) flat[place]:a32 got:d32\nend:\n"
        );
        found("DG2", &text).iter().filter(|(rule, _)| *rule == "argument-dependent-race").count()
    };
    assert!(under("n") > 0);
    assert_eq!(under("sizes"), 0);
}

/// The races where each work-item reads what its neighbour writes, if `relation` holds between `sizes` and a number.
fn of_neighbours(relation: &str, number: u32) -> Vec<(&'static str, String)> {
    let text = format!(
        "    cmp.{relation} (M1_NM, 1) P1 sizes(0,0)<0;1,0> 0x{number:x}:d\n    (!P1) jmp (M1_NM, 1) end\n    \
         mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
         xor (M1, 16) other(0,0)<1> place(0,0)<1;1,0> 0x40:ud\n    lsc_store.slm (M1, 16) flat[place]:a32 place:d32\n    \
         lsc_load.slm (M1, 16) got:d32 flat[other]:a32\n    lsc_store.slm (M1, 16) flat[place]:a32 got:d32\nend:\n"
    );
    let mut all = found("DG2", &text);
    all.retain(|(rule, _)| ["work-item-race", "argument-dependent-race"].contains(rule));
    all
}

#[test]
fn a_vector_is_tried_as_the_size_of_the_group() {
    let found = of_neighbours("eq", 64);
    let is_it = |(rule, said): &(&str, String)| {
        *rule == "argument-dependent-race" && said.ends_with(", if `sizes` is the size of the group")
    };
    assert!(!found.is_empty() && found.iter().all(is_it), "{found:?}");
    // The size is 64.
    assert_eq!(of_neighbours("ne", 64), []);
}

/// Rows that are apart if `n` is one of two numbers: the races in groups of a size that some arguments make.
fn of_rows(launch: LaunchFacts, numbers: [u32; 2]) -> usize {
    let [a, b] = numbers;
    let text = format!(
        "    cmp.eq (M1_NM, 1) P1 n(0,0)<0;1,0> {a}:d\n    (P1) sel (M1_NM, 1) i(0,0)<1> 0x40:d 0x0:d\n    \
         cmp.eq (M1_NM, 1) P1 n(0,0)<0;1,0> {b}:d\n    (P1) sel (M1_NM, 1) i(0,0)<1> 0x40:d i(0,0)<0;1,0>\n    \
         mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
         mov (M1, 16) got(0,0)<1> y(0,0)<1;1,0>\n    mul (M1, 16) other(0,0)<1> got(0,0)<1;1,0> i(0,0)<0;1,0>\n    \
         add (M1, 16) place(0,0)<1> place(0,0)<1;1,0> other(0,0)<1;1,0>\n    \
         lsc_store.slm (M1, 16) flat[place]:a32 got:d32\n"
    );
    let found = found_in("DG2", launch, &text);
    found.iter().filter(|(rule, _)| ["work-item-race", "argument-dependent-race"].contains(rule)).count()
}

#[test]
fn a_launch_has_as_many_dimensions_as_its_groups_and_three_at_most() {
    let rows = || LaunchFacts { local_size: Some([16, 4, 1]), ..LaunchFacts::default() };
    // What is asked whether it is 2 or 3 is the number of dimensions.
    assert!(of_rows(rows(), [2, 5]) > 0);
    assert_eq!(of_rows(rows(), [2, 3]), 0);
    assert_eq!(of_rows(rows(), [3, 2]), 0);
    // The compiler says where that is.
    let payload = Payload {
        per_thread_bytes: 96,
        local_ids: Some((0, 96)),
        work_dimensions: Some(0),
        inline_bytes: 32,
        ..Payload::default()
    };
    let said = |local_size: [u32; 3]| {
        let facts = KernelFacts { payload, ..KernelFacts::default() };
        let kernels = Arc::new(std::iter::once(("k".to_owned(), facts)).collect());
        LaunchFacts { local_size: Some(local_size), kernels, ..LaunchFacts::default() }
    };
    assert!(of_rows(said([16, 4, 1]), [2, 5]) > 0, "three dimensions, of which one is 1");
    // Where groups have layers there are three. Layers of one row store the same.
    assert_eq!(of_rows(said([16, 4, 2]), [3, 5]), 0);
}

#[test]
fn a_loop_over_lanes_that_agree_has_one_pass() {
    let by_turns = |relation: &str| {
        let text = format!(
            "    mov (M1_NM, 1) i(0,0)<1> 0x0:d\n    cmp.{relation} (M1, 8) P8 n(0,0)<0;1,0> n(0,0)<0;1,0>\n    \
             mov (M1_NM, 1) left(0,0)<1> P8\nturn:\n    add (M1_NM, 1) i(0,0)<1> i(0,0)<0;1,0> 0x40:d\n    \
             mov (M1_NM, 1) done(0,0)<1> P8\n    \
             and (M1_NM, 1) left(0,0)<1> left(0,0)<0;1,0> (~)done(0,0)<0;1,0>\n    \
             setp (M1_NM, 8) P8 left(0,0)<0;1,0>\n    (P8) goto (M1, 8) turn\n    \
             mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
             xor (M1, 16) other(0,0)<1> place(0,0)<1;1,0> i(0,0)<0;1,0>\n    \
             lsc_store.slm (M1, 16) flat[place]:a32 place:d32\n    lsc_load.slm (M1, 16) got:d32 flat[other]:a32\n    \
             lsc_store.slm (M1, 16) flat[place]:a32 got:d32\n"
        );
        races("DG2", &text)
    };
    assert!(by_turns("eq") > 0);
}

#[test]
fn a_base_in_front_of_an_offset_is_part_of_the_address() {
    let text = |base: &str| {
        format!(
            "    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
             xor (M1, 16) other(0,0)<1> place(0,0)<1;1,0> 0x40:ud\n    \
             lsc_store.slm (M1, 16) flat{base}[place]:a32 place:d32\n    lsc_load.slm (M1, 16) got:d32 flat[other]:a32\n    \
             lsc_store.slm (M1, 16) flat{base}[place]:a32 got:d32\n"
        )
    };
    assert!(races("XE3P_CRI", &text("")) > 0);
    assert_eq!(races("XE3P_CRI", &text("(n)")), 0);
}

#[test]
fn what_a_thread_reads_before_it_compares_and_exchanges_is_a_guess() {
    let text = |update: &str| {
        format!(
            "    mov (M1, 16) place(0,0)<1> 0x0:ud\n    mov (M1, 16) other(0,0)<1> x(0,0)<1;1,0>\n    \
             lsc_load.slm (M1, 16) got:d32 flat[place]:a32\n    add (M1, 16) other(0,0)<1> got(0,0)<1;1,0> 0x1:ud\n    \
             {update}\n    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    \
             shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
             lsc_store.slm (M1, 16) flat[place+0x100]:a32 got:d32\n"
        )
    };
    let compares = "lsc_atomic_icas.slm (M1, 16) %null:d32 flat[place]:a32 got other";
    let adds = "lsc_atomic_iadd.slm (M1, 16) %null:d32 flat[place]:a32 other %null";
    assert_eq!(races("DG2", &text(compares)), 0);
    assert!(races("DG2", &text(adds)) > 0);
}

/// Each work-item loads what `from` says, computes with it, and stores it where those of other threads store, too; the
/// buffer behind `p` is stored to only there.
fn of_loaded(from: &str, computed: &str, stored: &str) -> usize {
    let text = format!(
        "    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
         {from}\n    {computed}\n    and (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x3f:ud\n    \
         lsc_store.ugm (M1, 16) bti(0x1)[place]:a32 {stored}\n"
    );
    races("DG2", &text)
}

#[test]
fn data_differ_that_are_computed_in_one_way_from_what_two_places_hold() {
    let own = "lsc_load.slm (M1, 16) got:d32 flat[place+0x1000]:a32";
    let elsewhere = "lsc_load.ugm (M1, 16) got:d32 bti(0x2)[place]:a32";
    let common = "lsc_load.slm (M1, 16) got:d32 flat[place+0x1000]:a32".replace("place", "other");
    let one_place = format!("mov (M1, 16) other(0,0)<1> 0x0:ud\n    {common}");
    let got = |operation: &str, other: &str| {
        format!("{operation} (M1, 16) got(0,0)<1> got(0,0)<1;1,0> {other}").trim_end().to_owned()
    };
    for computed in [
        got("add", "0x5:ud"),
        got("mul", "0x3:ud"),
        got("and", "0xff:ud"),
        got("shr", "0x4:ud"),
        got("xor", "n(0,0)<0;1,0>"),
        got("max", "0x64:ud"),
        got("avg", "0x64:ud"),
        got("max", "n(0,0)<0;1,0>"),
        got("not", ""),
    ] {
        assert!(of_loaded(own, &computed, "got:d32") > 0, "{computed}");
        assert!(of_loaded(elsewhere, &computed, "got:d32") > 0, "{computed}");
        // All threads have loaded it from one place.
        assert_eq!(of_loaded(&one_place, &computed, "got:d32"), 0, "{computed}");
    }
    // Numbers that are loaded and those that are not have nothing in common; these need not differ.
    assert_eq!(of_loaded(own, &got("and", "0x0:ud"), "got:d32"), 0);
    assert_eq!(of_loaded(own, &got("mul", "x(0,0)<1;1,0>"), "got:d32"), 0);
}

#[test]
fn what_a_part_of_a_loaded_number_is_may_be_known() {
    let text = |computed: &str| {
        format!(
            "    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
             lsc_load.ugm (M1, 16) got:d32 bti(0x2)[place]:a32\n    {computed}\n    \
             lsc_store.slm (M1, 16) flat[place]:a32 got:d32\n    xor (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x40:ud\n    \
             mov (M1, 16) other(0,0)<1> 0x0:ud\n    lsc_store.slm (M1, 16) flat[place+0x1]:a32 other:d8u32\n"
        )
    };
    assert!(races("DG2", &text("")) > 0);
    assert!(races("DG2", &text("add (M1, 16) got(0,0)<1> got(0,0)<1;1,0> 0x1:ud")) > 0);
    // The second byte is zero.
    assert_eq!(races("DG2", &text("and (M1, 16) got(0,0)<1> got(0,0)<1;1,0> 0xff:ud")), 0);
}

#[test]
fn what_is_compared_and_exchanged_and_stored_as_well_is_no_guess() {
    let text = |last: &str| {
        format!(
            "    mov (M1, 16) place(0,0)<1> 0x0:ud\n    mov (M1, 16) other(0,0)<1> 0x1:ud\n    \
             lsc_load.slm (M1, 16) got:d32 flat[place]:a32\n    \
             lsc_atomic_icas.slm (M1, 16) %null:d32 flat[place]:a32 got other\n    {last}\n    \
             mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    \
             lsc_store.slm (M1, 16) flat[place+0x100]:a32 got:d32\n"
        )
    };
    assert_eq!(races("DG2", &text("")), 0);
    // The store meets the read, and the exchange, of other threads.
    assert!(races("DG2", &text("lsc_store.slm (M1, 16) flat[place]:a32 other:d32")) > 0);
}

#[test]
fn an_argument_that_is_added_to_addresses_as_it_is_is_not_tried() {
    let text = |scale: u32| {
        format!(
            "    mul (M1, 16) other(0,0)<1> n(0,0)<0;1,0> {scale}:d\n    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    \
             shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    mov (M1, 16) far(0,0)<1> other(0,0)<1;1,0>\n    \
             mov (M1, 16) near(0,0)<1> place(0,0)<1;1,0>\n    add (M1, 16) far(0,0)<1> far(0,0)<1;1,0> near(0,0)<1;1,0>\n    \
             lsc_store.ugm (M1, 16) flat[far]:a64 place:d32\n    lsc_load.ugm (M1, 16) got:d32 flat[near]:a64\n    \
             lsc_store.slm (M1, 16) flat[place]:a32 got:d32\n"
        )
    };
    let declared =
        ".decl far v_type=G type=uq num_elts=16 align=GRF\n.decl near v_type=G type=uq num_elts=16 align=GRF\n";
    let tried = |scale| {
        let found = found("DG2", &format!("{declared}{}", text(scale)));
        found.iter().filter(|(rule, _)| *rule == "argument-dependent-race").count()
    };
    assert_eq!(tried(1), 0);
    assert_eq!(tried(4), 1);
}

/// With which arguments rows of a group are one row: if what is asked of `pair` is so.
fn of_pair(asked: &str) -> Vec<String> {
    let text = format!(
        ".decl pair v_type=G type=d num_elts=2 align=dword\n.input pair offset=144 size=8\n    {asked}\n    \
         (P1) sel (M1_NM, 1) i(0,0)<1> 0x0:d 0x40:d\n    mov (M1, 16) place(0,0)<1> x(0,0)<1;1,0>\n    \
         shl (M1, 16) place(0,0)<1> place(0,0)<1;1,0> 0x2:ud\n    mov (M1, 16) got(0,0)<1> y(0,0)<1;1,0>\n    \
         mul (M1, 16) other(0,0)<1> got(0,0)<1;1,0> i(0,0)<0;1,0>\n    \
         add (M1, 16) place(0,0)<1> place(0,0)<1;1,0> other(0,0)<1;1,0>\n    \
         lsc_store.slm (M1, 16) flat[place]:a32 got:d32\n"
    );
    let found = found_in("DG2", LaunchFacts { local_size: Some([16, 4, 1]), ..LaunchFacts::default() }, &text);
    let conditions = found.iter().filter(|(rule, _)| *rule == "argument-dependent-race");
    conditions.filter_map(|(_, said)| Some(said.rsplit_once(", if ")?.1.to_owned())).collect()
}

#[test]
fn elements_of_arguments_are_tried_as_what_they_are_compared_with() {
    let compared = |column: u32, relation: &str, number: u32| {
        of_pair(&format!("cmp.{relation} (M1_NM, 1) P1 pair(0,{column})<0;1,0> 0x{number:x}:d"))
    };
    for number in [43, 5000] {
        assert_eq!(compared(0, "eq", number).first(), Some(&format!("`pair` is {number}")));
        assert_eq!(compared(1, "eq", number).first(), Some(&format!("`pair(0,1)` is {number}")));
        assert_eq!(compared(1, "gt", number).first(), Some(&format!("`pair(0,1)` is {}", number + 1)));
        // A smaller number is tried before that.
        assert_eq!(compared(1, "lt", number).first(), Some(&"`pair(0,1)` is 2".to_owned()));
    }
    // No size is so large.
    assert_eq!(compared(1, "eq", 1 << 20), [""; 0]);
}
