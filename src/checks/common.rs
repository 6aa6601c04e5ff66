//! Rules that several families of checks report. Each stands in a module with the name of the family that it counts as.

use crate::base::rule::Rule;

/// The modules that a rule counts as part of, outermost first, without the name of the program.
pub fn modules(rule: &Rule) -> impl Iterator<Item = &'static str> + use<> {
    rule.module.split("::").skip(1).filter(|module| *module != "common")
}

/// What abstract execution proves.
pub mod execution {
    crate::declare_rule! {
        /// Two lanes of one store that write the same bytes. The lanes are not ordered. Most scatter messages leave the result
        /// undefined whatever the values are; of the others the memory model says that different values leave the bytes
        /// undefined. Addresses are followed through the kernel lane by lane, and a finding holds whatever the inputs are.
        ///
        /// Where equal values are allowed and the values are not known to differ, the finding is pedantic.
        ///
        /// ```visa bad
        /// mov (M1_NM, 8) VUD(0,0)<1> 0x33221100:uv
        /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
        /// scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VF.0
        /// ```
        /// ```visa good
        /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
        /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
        /// scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VF.0
        /// ```
        pub OVERLAPPING_LANE_WRITES = "overlapping-lane-writes", Error | Warning | Pedantic, "3_execution_model"
    }

    crate::declare_rule! {
        /// A register that is read although nothing has written it: it is no input, and no instruction before has set the
        /// bytes in question, or not on one of the paths that lead there. A path counts if unknown numbers can be chosen so
        /// that it is taken: what is written and read under the same condition is well. Messages read exactly the bytes of
        /// their lanes. Copies of such registers are not reported, because compilers copy what they know to be
        /// irrelevant; nor is a comparison of a register with itself, which gives the active lanes.
        ///
        /// ```visa bad
        /// .decl Vx v_type=G type=d num_elts=8 align=GRF
        /// add (M1, 8) VD(0,0)<1> Vx(0,0)<8;8,1> 0x1:d
        /// ```
        /// ```visa good
        /// .decl Vx v_type=G type=d num_elts=8 align=GRF
        /// mov (M1, 8) Vx(0,0)<1> 0x0:d
        /// add (M1, 8) VD(0,0)<1> Vx(0,0)<8;8,1> 0x1:d
        /// ```
        pub UNDEFINED_REGISTER = "undefined-register", Warning | Pedantic, "3_execution_model",
            help = "write it on every path that leads here"
    }

    crate::declare_rule! {
        /// A predicate that is used although nothing has set it, not for these lanes, or not on one of the paths.
        ///
        /// ```visa bad
        /// (P1) mov (M1, 8) VD(0,0)<1> 0x1:d
        /// ```
        /// ```visa good
        /// cmp.lt (M1, 8) P1 VD(0,0)<8;8,1> 0x4:d
        /// (P1) mov (M1, 8) VD(0,0)<1> 0x1:d
        /// ```
        pub UNDEFINED_PREDICATE = "undefined-predicate", Warning | Pedantic, "3_execution_model",
            help = "set it with `cmp` or `setp` on every path that leads here, for all lanes that read it"
    }
}

/// What a fragment does with the operands of the host.
pub mod fragment {
    crate::declare_rule! {
        /// An output that is read before anything was written to it. Its value at the beginning is that of the variable only
        /// with the constraint `+rw`.
        ///
        /// ```c bad
        /// asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
        /// ```
        /// ```c good
        /// asm("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %1(0,0)<1;1,0>" : "+rw"(y) : "rw"(x));
        /// ```
        pub UNSET_OUTPUT = "unset-output", Error, ""
    }
}

/// Messages of the load and store cache.
pub mod lsc {
    crate::declare_rule! {
        /// An offset that is not a multiple of the element that is accessed. The manual asks for addresses that are multiples
        /// of the element size; atomic operations and vectors in shared local memory need them. Blocks of the older data ports
        /// need multiples of 4 or 16 bytes.
        ///
        /// ```visa bad
        /// lsc_atomic_iadd.ugm (M1, 16) VD:d32 flat[VUQ+0x2]:a64 VD2 %null
        /// ```
        /// ```visa good
        /// lsc_atomic_iadd.ugm (M1, 16) VD:d32 flat[VUQ+0x4]:a64 VD2 %null
        /// ```
        pub MISALIGNED_ADDRESS = "misaligned-address", Error | Warning | Pedantic, "LSC_UNTYPED",
            help = "choose an offset that is a multiple of the element size; elements that are not aligned need smaller ones"
    }
}
