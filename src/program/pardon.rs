//! What is pardoned in a text that a compiler printed, and in no other. Everything else holds for every text: a pardon is
//! right only where the compiler knows what a person cannot know.

use super::Program;

/// What a compiler knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pardon {
    /// That a value is undefined in the source, so that it does not matter what is read: compilers store the padding of
    /// vectors, print variables that nothing ever writes, or only a later turn of the loop or one of the paths, choose between a
    /// value and what a register held before, and call a subroutine for one half of the lanes before the arguments of the
    /// other half are there. In other text such a read is
    /// a forgotten write.
    UndefinedValue,
    /// Which paths come together, and with which lanes: no number is wrong for one of the paths alone. In other text a number
    /// that a branch makes wrong is a fault of that branch.
    OnePath,
    /// That the source of the kernel names an instruction, by a builtin function or in inline assembly, whatever the
    /// platform: the compiler prints it also for one that lacks it, behind a test of the device that is no part of the text.
    AskedFor,
    /// That a large variable fits the registers: compilers put arrays of the source there, and count what is left. In
    /// other text the manual's limit holds.
    LargeVariable,
    /// That registers are whole: compilers give a variable the rest of its last register, into which a message of whole
    /// registers may reach. In other text another variable may lie there.
    WholeRegisters,
    /// How a kernel is launched: compilers also write the description that the driver follows, so they choose the types
    /// and the order of implicit inputs, give the kilobytes of local memory as they are, and branch in media kernels with
    /// other widths than that of the dispatch.
    Interface,
    /// That the next lane of a mask is looked for before it is asked whether one is left: compilers throw away what the element
    /// in front of the first one gives. In other text an index of -1 is a wrong one.
    NoLaneLeft,
    /// Which functions other files hold: compilers take the address of one without a `.funcdecl`. In other text an
    /// undeclared name is a misspelled one.
    OtherFile,
    /// That pointers have 32 bits: compilers build for such hosts, too, and then all buffers are below the general state base.
    /// In other text a buffer's address is cut off.
    ShortPointers,
    /// How arrays lie in private memory: compilers load packed elements of them at once, wherever they begin. In other text
    /// such an address is a wrong one.
    PackedArrays,
    /// That a bit in a pointer to shared local memory only says what it points to. In other text such an address lies far
    /// behind the end of that memory.
    LocalPointers,
    /// What a predicate means that is combined over the lanes of a message: compilers print one where a load of one lane
    /// happens if any lane of the source wants it. In other text it looks like a misunderstanding.
    CombinedPredicate,
    /// That it does not matter which lane writes a place last: in the source all of them store the same there, or there is
    /// only one work-item. In other text two lanes with one place look like a wrong address.
    SharedPlace,
    /// That a shift may ask for more bits than there are: `OpenCL` C takes the lowest bits of a count, as the hardware does,
    /// and compilers rotate by shifting back by 32 less the count, which may be 0. In other text such a count is a mistake.
    CutCount,
    /// That the elements of sources are read before any result is written: compilers add one lane to all of them in place, and
    /// take care of it when they split the instruction. In other text it looks like an oversight.
    ReadFirst,
    /// That nothing reads the text: compilers print what they have built, also in forms that no assembler takes.
    Print,
}

impl Pardon {
    /// Whether it is given in a program.
    #[must_use]
    pub const fn holds_in(self, program: &Program) -> bool {
        match self {
            Self::UndefinedValue
            | Self::OnePath
            | Self::AskedFor
            | Self::LargeVariable
            | Self::WholeRegisters
            | Self::Interface
            | Self::NoLaneLeft
            | Self::OtherFile
            | Self::ShortPointers
            | Self::PackedArrays
            | Self::LocalPointers
            | Self::CombinedPredicate
            | Self::SharedPlace
            | Self::CutCount
            | Self::ReadFirst
            | Self::Print => program.is_compiler_dump,
        }
    }
}

impl Program {
    /// Says whether a compiler printed the text.
    pub const fn set_compiler_dump(&mut self, is_compiler_dump: bool) {
        self.is_compiler_dump = is_compiler_dump;
    }
}
