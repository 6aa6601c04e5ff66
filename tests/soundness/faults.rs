//! Small programs, each for something that abstract execution could get wrong, and proof that the comparison would notice.

use super::concrete::{Concrete, Manner};
use super::membership::Follower;
use super::{Tally, claims, examine_text, generator, launch, steps};
use visa_lint::interp;
use visa_lint::lower::lower;

const SIMD: u32 = 16;
const GRF_BYTES: u32 = 32;

fn program(lines: &str) -> String {
    generator::head(lines, SIMD as usize, GRF_BYTES as usize) + lines
}

/// Executes a program with many inputs, in all manners.
fn holds(lines: &str) {
    let text = program(lines);
    let mut tally = Tally::default();
    for seed in 0..56 {
        if let Err(what) = examine_text(&text, (SIMD, GRF_BYTES), seed, &mut tally) {
            panic!("{what}\n{text}");
        }
    }
    assert!(tally.n_compared > 0, "nothing was compared\n{text}");
}

#[test]
fn a_call_that_no_lane_makes_is_passed() {
    holds(
        "setp (M1_NM, 16) P1 0x0:uw\n\
         (P1) call (M1, 16) sub0\n\
         mov (M1_NM, 16) Rud3(0,0)<1> Rud1(0,0)<1;1,0>\n\
         scatter4_scaled.R (M1_NM, 16) T6 0x0:ud Rud3.0 DATA.0\n\
         ret (M1, 1)\n\
         .function \"sub0\"\nsub0:\n\
         mov (M1, 16) Rud3(0,0)<1> Rud2(0,0)<1;1,0>\n\
         ret (M1, 16)\n",
    );
}

#[test]
fn lanes_that_stay_wait_for_those_that_go_back() {
    holds(
        "mov (M1_NM, 8) Ruw3(0,0)<1> 0x76543210:uv\n\
         add (M1_NM, 8) Ruw3(0,8)<1> Ruw3(0,0)<1;1,0> 0x8:uw\n\
         mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n\
         L1:\n\
         add (M1_NM, 1) N(0,1)<1> N(0,0)<0;1,0> 0x1:ud\n\
         add (M1, 16) Ruw3(0,0)<1> Ruw3(0,0)<1;1,0> 0x1:uw\n\
         and (M1, 16) Ruw3(0,0)<1> Ruw3(0,0)<1;1,0> 0xf:uw\n\
         cmp.ne (M1, 16) P2 Ruw3(0,0)<1;1,0> 0x2:uw\n\
         (P2) goto (M1, 16) L1\n\
         mov (M1, 16) Rud4(0,0)<1> N(0,1)<0;1,0>\n\
         add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n\
         cmp.lt (M1_NM, 1) U N(0,0)<0;1,0> 0x2:ud\n\
         (U) goto (M1, 1) L1\n\
         scatter4_scaled.R (M1_NM, 16) T6 0x0:ud Rud3.0 DATA.0\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn what_a_scalar_held_is_not_what_it_holds_after_the_others_came() {
    // The lanes that do not go back see what the others leave in a scalar.
    holds(
        "mov (M1_NM, 1) N(0,0)<1> Rud1(0,0)<0;1,0>\n\
         and (M1_NM, 16) C0(0,0)<1> Ruw1(0,0)<1;1,0> 0x3:uw\n\
         mov (M1_NM, 1) N(0,1)<1> 0x0:ud\n\
         L1:\n\
         add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x4:ud\n\
         mov (M1, 16) Rud3(0,0)<1> N(0,0)<0;1,0>\n\
         add (M1, 16) C0(0,0)<1> C0(0,0)<1;1,0> 0x1:uw\n\
         and (M1, 16) C0(0,0)<1> C0(0,0)<1;1,0> 0x3:uw\n\
         cmp.lt (M1, 16) P1 C0(0,0)<1;1,0> 0x2:uw\n\
         (P1) goto (M1, 16) L1\n\
         cmp.eq (M1, 16) P2 Rud3(0,0)<1;1,0> N(0,0)<0;1,0>\n\
         (P2) scatter4_scaled.R (M1, 16) T6 0x0:ud Rud3.0 DATA.0\n\
         add (M1_NM, 1) N(0,1)<1> N(0,1)<0;1,0> 0x1:ud\n\
         cmp.lt (M1_NM, 1) U N(0,1)<0;1,0> 0x3:ud\n\
         (U) goto (M1, 1) L1\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn a_branch_out_of_a_loop_leaves_behind_who_waits_in_it() {
    holds(
        "mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n\
         and (M1_NM, 1) N(0,1)<1> Rud2(0,0)<0;1,0> 0x3:ud\n\
         L1:\n\
         add (M1, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0> N(0,0)<0;1,0>\n\
         cmp.gt (M1, 16) P1 Rud1(0,0)<1;1,0> 0x3:ud\n\
         (!P1) goto (M1, 16) L3\n\
         cmp.ne (M1_NM, 1) U N(0,1)<0;1,0> N(0,0)<0;1,0>\n\
         (U) goto (M1, 1) L2\n\
         L3:\n\
         scatter4_scaled.R (M1, 16) T6 0x0:ud Rud4.0 DATA.0\n\
         add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n\
         cmp.le (M1_NM, 1) U N(0,0)<0;1,0> N(0,1)<0;1,0>\n\
         (U) goto (M1, 1) L1\n\
         L2:\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn a_branch_out_of_two_loops_leaves_behind_who_has_left_the_inner_one() {
    holds(
        "mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n\
         and (M1_NM, 1) N(0,1)<1> Rud2(0,0)<0;1,0> 0x3:ud\n\
         L1:\n\
         add (M1, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0> N(0,0)<0;1,0>\n\
         and (M1, 16) C0(0,0)<1> Ruw1(0,0)<1;1,0> 0x3:uw\n\
         L3:\n\
         add (M1, 16) C0(0,0)<1> C0(0,0)<1;1,0> 0x1:uw\n\
         cmp.gt (M1_NM, 1) U N(0,0)<0;1,0> N(0,1)<0;1,0>\n\
         (U) goto (M1, 1) L2\n\
         cmp.lt (M1, 16) P1 C0(0,0)<1;1,0> 0x3:uw\n\
         (P1) goto (M1, 16) L3\n\
         scatter4_scaled.R (M1, 16) T6 0x0:ud Rud4.0 DATA.0\n\
         add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n\
         and (M1_NM, 1) N(0,2)<1> Ruw1(0,0)<0;1,0> 0x3:uw\n\
         cmp.lt (M1_NM, 1) U N(0,0)<0;1,0> N(0,2)<0;1,0>\n\
         (U) goto (M1, 1) L1\n\
         L2:\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn nothing_is_found_behind_a_branch_that_is_not_decided() {
    // Whether lanes part at the branch back is not known, so nothing is known of the barrier.
    holds(
        "setp (M1_NM, 16) P2 0x5555:uw\n\
         mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n\
         L1:\n\
         L3:\n\
         (P2) goto (M1, 16) L4\n\
         cmp.eq (M1, 16) P2 Rud1(0,0)<1;1,0> 0x0:ud\n\
         (P2) goto (M1, 16) L3\n\
         L4:\n\
         barrier\n\
         add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n\
         cmp.lt (M1_NM, 1) U N(0,0)<0;1,0> 0x1:ud\n\
         (U) goto (M1, 1) L1\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn shifts_by_unknown_counts_do_not_leave_the_width_for_certain() {
    holds(
        "and (M1_NM, 16) Ruw3(0,0)<1> Ruw2(0,0)<1;1,0> 0x1f:uw\n\
         shl (M1_NM, 16) Ruq4(0,0)<1> Rud1(0,0)<1;1,0> Ruw3(0,0)<1;1,0>\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud4(0,0)<2;1,0>\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud4(0,1)<2;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn an_address_of_all_lanes_is_that_of_an_inactive_one_too() {
    // Element 0 is the address for all lanes, but only lane 0 may change it.
    holds(
        "mov (M1_NM, 8) Ruw3(0,0)<1> 0x0:uw\n\
         mov (M1_NM, 16) Rud5(0,0)<1> Rud2(0,0)<1;1,0>\n\
         mov (M1_NM, 16) Rud6(0,0)<1> Rud1(0,0)<1;1,0>\n\
         addr_add (M1_NM, 8) A0(0)<8> &Rud5 Ruw3(0,0)<1;1,0>\n\
         cmp.gt (M1_NM, 16) P1 Rud1(0,0)<1;1,0> 0x3:ud\n\
         (P1) goto (M1, 16) L1\n\
         addr_add (M1, 8) A0(0)<8> &Rud6 Ruw3(0,0)<1;1,0>\n\
         mov (M1, 8) r[A0(0),0]<1>:ud 0x4:ud\n\
         mov (M1, 8) Rud4(0,0)<1> r[A0(0),0]<1;1,0>:ud\n\
         mov (M1, 8) %null(0,0)<1> Rud4(0,0)<1;1,0>\n\
         L1:\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud5(0,0)<1;1,0>\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud6(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn a_saturated_shift_by_the_whole_width_shifts_nothing() {
    holds(
        "shl.sat (M1_NM, 16) Rud3(0,0)<1> Ruw0(0,0)<1;1,0> 0x20:uw\n\
         mov (M1_NM, 16) Rud4(0,0)<1> 0x7:ud\n\
         shl.sat (M1_NM, 16) Rud3(0,0)<1> Rud4(0,0)<1;1,0> 0x20:uw\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud3(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn the_negative_of_the_least_number_may_be_one_more_than_the_greatest() {
    holds(
        "mov (M1_NM, 16) Rw3(0,0)<1> -32768:w\n\
         cmp.ge (M1_NM, 16) P1 (-)Rw3(0,0)<1;1,0> 4:w\n\
         cmp.gt (M1_NM, 16) P2 (abs)Rw1(0,0)<1;1,0> 32767:w\n\
         cmp.lt (M1_NM, 16) P3 (-)Ruw1(0,0)<1;1,0> -32768:w\n\
         (P1) mov (M1, 16) Rd4(0,0)<1> (-)Rw1(0,0)<1;1,0>\n\
         (P2) mov (M1, 16) Rd5(0,0)<1> (-)Ruw1(0,0)<1;1,0>\n\
         (P3) add.sat (M1, 16) Rw6(0,0)<1> (-)Rw1(0,0)<1;1,0> 0:w\n\
         (P1) mov (M1_NM, 16) %null(0,0)<1> Rd4(0,0)<1;1,0>\n\
         (P2) mov (M1_NM, 16) %null(0,0)<1> Rd5(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn sums_of_narrow_numbers_and_negatives_are_not_exact() {
    holds(
        "mov (M1_NM, 16) Ruw3(0,0)<1> 0x8000:uw\n\
         add (M1_NM, 16) Rud4(0,0)<1> Ruw3(0,0)<1;1,0> (-abs)Ruw1(0,0)<1;1,0>\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud4(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn counts_of_shifts_between_widths_have_five_bits_or_six() {
    holds(
        "shl (M1_NM, 16) Rud3(0,0)<1> Ruq1(0,0)<1;1,0> 0x28:uw\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud3(0,0)<1;1,0>\n\
         shl (M1_NM, 16) Ruq4(0,0)<1> Rud1(0,0)<1;1,0> 0x28:uw\n\
         mov (M1_NM, 16) %null(0,0)<1> Ruq4(0,0)<1;1,0>\n\
         shr (M1_NM, 16) Rud5(0,0)<1> Ruq1(0,0)<1;1,0> Rud2(0,0)<1;1,0>\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud5(0,0)<1;1,0>\n\
         asr (M1_NM, 16) Rd6(0,0)<1> Rq1(0,0)<1;1,0> 0x21:uw\n\
         mov (M1_NM, 16) %null(0,0)<1> Rd6(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn saturated_shifts_take_as_many_bits_of_a_count() {
    holds(
        "shl.sat (M1_NM, 16) Rud3(0,0)<1> Rud1(0,0)<1;1,0> 0x20:uw\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud3(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn saturated_sums_of_both_signs() {
    holds(
        "add.sat (M1_NM, 16) Rud3(0,0)<1> Rd1(0,0)<1;1,0> 0x80000000:ud\n\
         mov (M1_NM, 16) %null(0,0)<1> Rud3(0,0)<1;1,0>\n\
         ret (M1, 1)\n",
    );
}

#[test]
fn an_input_that_a_loop_changes_is_not_what_it_was() {
    holds(
        "mov (M1_NM, 1) N(0,0)<1> 0x0:ud\n\
         and (M1_NM, 1) N(0,1)<1> Ruw2(0,0)<0;1,0> 0x3:uw\n\
         L1:\n\
         mov (M1_NM, 16) Rud3(0,0)<1> Rud1(0,0)<1;1,0>\n\
         scatter4_scaled.R (M1_NM, 16) T6 0x0:ud Rud3.0 DATA.0\n\
         mul (M1_NM, 16) Rud1(0,0)<1> Rud1(0,0)<1;1,0> Rud2(0,0)<1;1,0>\n\
         mov (M1_NM, 16) Rud4(0,0)<1> Rud1(0,0)<1;1,0>\n\
         add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x1:ud\n\
         cmp.lt (M1_NM, 1) U N(0,0)<0;1,0> N(0,1)<0;1,0>\n\
         (U) goto (M1, 1) L1\n\
         ret (M1, 1)\n",
    );
}

/// What one program does, followed in the trace of another one, and what is claimed of that.
fn taken_for_another(real: &str, claimed: &str) -> (Option<String>, bool) {
    let (real, claimed) = (program(real), program(claimed));
    let (real, claimed) = (lower(&real), lower(&claimed));
    let object = real.objects.iter().next().expect("a kernel");
    let launch = launch();
    let other = claimed.objects.iter().next().expect("a kernel");
    let trace = interp::trace(&claimed, other, GRF_BYTES, &launch);
    let facts = interp::run(&claimed, other, GRF_BYTES, &launch);
    let manner = Manner { wraps_narrow: false, counts_by_destination: false };
    let run = |follower: &mut Follower| Concrete::new(&real, object, GRF_BYTES, 1, 5, manner).run(SIMD, follower);
    let mut follower = Follower::new(&trace);
    run(&mut follower);
    let own = interp::trace(&real, object, GRF_BYTES, &launch);
    let mut all = Follower::new(&own);
    let ending = run(&mut all);
    let is_wrong =
        claims::look_at(&real, &facts, &steps(&trace), &all.records, ending).iter().any(|s| s.holds == Some(false));
    (follower.misfit, is_wrong)
}

#[test]
fn wrong_claims_would_be_noticed() {
    let store = |factor: u32| {
        format!(
            "mov (M1_NM, 8) Ruw3(0,0)<1> 0x76543210:uv\n\
             add (M1_NM, 8) Ruw3(0,8)<1> Ruw3(0,0)<1;1,0> 0x8:uw\n\
             mul (M1_NM, 16) Rud4(0,0)<1> Ruw3(0,0)<1;1,0> 0x{factor:x}:uw\n\
             add (M1_NM, 16) Rud5(0,0)<1> Rud4(0,0)<1;1,0> Rud1(0,0)<0;1,0>\n\
             scatter4_scaled.R (M1_NM, 16) T6 0x0:ud Rud5.0 DATA.0\n\
             ret (M1, 1)\n"
        )
    };
    assert_eq!(taken_for_another(&store(4), &store(4)), (None, false));
    let (misfit, is_wrong) = taken_for_another(&store(4), &store(0));
    assert!(misfit.is_some_and(|m| m.starts_with("instruction 3: operand 1 in lane 1")), "a product");
    assert!(is_wrong, "lanes do not meet");
    let (misfit, is_wrong) = taken_for_another(&store(0), &store(4));
    assert!(misfit.is_some(), "a product");
    assert!(is_wrong, "lanes meet");
}
