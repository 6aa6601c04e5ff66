//! Accesses outside of memory whose size is known, in every form of message.
//!
//! Each work-item accesses the bytes behind those of the one before it. So the last one leaves memory that is a byte too
//! small, and none leaves memory that has all of them.

use crate::support::on;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::checks::{self, LaunchFacts, Options};
use visa_lint::interp::claims::facts::Bounds;
use visa_lint::lower::lower;
use visa_lint::spec::Platform;

/// A form of message.
struct Form {
    platform: &'static str,
    /// Lanes of the kernel.
    n_lanes: u32,
    /// Whether one lane accesses memory for the thread.
    is_scalar: bool,
    /// Bytes of a unit of the offset.
    unit: u64,
    /// Bytes that an access takes.
    bytes: u64,
    /// `slm`, or the name of the buffer.
    memory: &'static str,
    text: String,
}

const GROUP: u32 = 64;

impl Form {
    fn program(&self) -> String {
        let platform = Platform::from_name(self.platform).expect("a platform");
        let grf_bytes = platform.grf_bytes();
        let stride = grf_bytes.max(2 * self.n_lanes);
        let (n_ids, n_lanes, step) = (stride / 2, self.n_lanes, self.bytes / self.unit);
        let id = |name: &str, dimension: u32| {
            let offset = grf_bytes + dimension * stride;
            format!(
                ".decl {name} v_type=G type=w num_elts={n_ids} align=GRF\n.input {name} offset={offset} size={stride}\n"
            )
        };
        let end = grf_bytes + 3 * stride;
        let state = end + 8;
        let ids = id("x", 0) + &id("y", 1) + &id("z", 2);
        let body = format!(
            "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1, {n_lanes}) place(0,0)<1> x(0,0)<1;1,0>\n    \
             mul (M1, {n_lanes}) place(0,0)<1> place(0,0)<1;1,0> 0x{step:x}:w\n    \
             mov (M1, {n_lanes}) wide(0,0)<1> place(0,0)<1;1,0>\n    \
             add (M1, {n_lanes}) pointer(0,0)<1> out(0,0)<0;1,0> wide(0,0)<1;1,0>\n    {}\n    ret (M1_NM, 1)\n",
            self.text
        );
        format!(
            ".version 4.2\n.kernel \"k\"\n{ids}\
             .decl out v_type=G type=uq num_elts=1 align=qword\n.decl state v_type=G type=ud num_elts=1 align=dword\n\
             .decl place v_type=G type=d num_elts=16 align=GRF\n.decl ofs v_type=G type=ud num_elts=16 alias=<place, 0>\n\
             .decl wide v_type=G type=uq num_elts=16 align=GRF\n.decl pointer v_type=G type=uq num_elts=16 align=GRF\n\
             .decl data v_type=G type=ud num_elts=64 align=GRF\n.decl what v_type=G type=ud num_elts=16 align=GRF\n\
             .decl T6 v_type=T num_elts=1\n.input out offset={end} size=8\n.input state offset={state} size=4\n\
             .kernel_attr Target=\"3d\"\n.kernel_attr SimdSize={n_lanes}\n\
             .kernel_attr PerThreadInputSize={}\n{body}",
            3 * stride
        )
    }

    /// The first id of the last access, and the bytes of memory that has all of them.
    fn last(&self) -> (u32, u64) {
        let last = if self.is_scalar { GROUP - self.n_lanes } else { GROUP - 1 };
        (last, (u64::from(last) + 1) * self.bytes)
    }

    fn options(&self, size: u64) -> Options {
        let mut launch = LaunchFacts { local_size: Some([GROUP, 1, 1]), ..LaunchFacts::default() };
        if self.memory == "slm" {
            launch.slm_bytes = Some(size);
        } else {
            launch.buffers.insert(self.memory.to_owned(), size);
        }
        Options { launch, ..on(Platform::from_name(self.platform).expect("a platform")) }
    }

    fn findings(&self, size: u64) -> Vec<Diagnostic> {
        let all = checks::check(&self.program(), &self.options(size));
        let (about_bounds, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|d| d.rule.name.ends_with("out-of-bounds"));
        // What is stored need not be defined.
        let errors: Vec<&Diagnostic> = others.iter().filter(|d| d.level == Level::Error).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", self.text);
        about_bounds
    }

    /// What is known of where the message accesses memory.
    fn bounds(&self, size: u64) -> Vec<Bounds> {
        let text = self.program();
        let of_kernels = checks::messages(&text, &lower(&text), &self.options(size));
        let messages = of_kernels.into_iter().flat_map(|(_, kernels)| kernels).flat_map(|kernel| kernel.messages);
        messages.map(|message| message.bounds).collect()
    }
}

fn forms() -> Vec<Form> {
    let mut all = Vec::new();
    let mut add = |platform, n_lanes, is_scalar, unit, bytes, memory, text: String| {
        all.push(Form { platform, n_lanes, is_scalar, unit, bytes, memory, text });
    };
    for (memory, unit, at) in [
        ("slm", "slm", "flat[ofs]:a32"),
        ("out", "ugm", "flat[pointer]:a64"),
        ("bti1", "ugm", "bti(0x1)[ofs]:a32"),
        ("state", "ugm", "bss(state)[ofs]:a32"),
    ] {
        for (shape, bytes) in [("d8u32", 1), ("d16u32", 2), ("d32", 4), ("d32x4", 16), ("d64", 8)] {
            add("DG2", 16, false, 1, bytes, memory, format!("lsc_load.{unit} (M1, 16) data:{shape} {at}"));
            add("DG2", 16, false, 1, bytes, memory, format!("lsc_store.{unit} (M1, 16) {at} data:{shape}"));
        }
        add("DG2", 16, true, 1, 64, memory, format!("lsc_load.{unit} (M1_NM, 1) data:d32x16t {at}"));
        add("DG2", 16, true, 1, 64, memory, format!("lsc_store.{unit} (M1_NM, 1) {at} data:d32x16t"));
        add("DG2", 16, false, 1, 8, memory, format!("lsc_load_quad.{unit} (M1, 16) data:d32.xy {at}"));
        add("DG2", 16, false, 1, 8, memory, format!("lsc_store_quad.{unit} (M1, 16) {at} data:d32.xy"));
        add("DG2", 16, false, 1, 4, memory, format!("lsc_atomic_iadd.{unit} (M1, 16) data:d32 {at} what %null"));
        add("PVC", 16, false, 1, 4, memory, format!("lsc_store.{unit} (M1, 16) {at} data:d32"));
    }
    for (memory, surface) in [("slm", "%slm"), ("bti1", "T6")] {
        let forms = [
            (1, 4, format!("scatter4_scaled.R (M1, 16) {surface} 0x0:ud ofs.0 data.0")),
            (1, 8, format!("gather4_scaled.RG (M1, 16) {surface} 0x0:ud ofs.0 data.0")),
            (1, 4, format!("gather_scaled.4 (M1, 16) {surface} 0x0:ud ofs.0 data.0")),
            (1, 1, format!("scatter_scaled.1 (M1, 16) {surface} 0x0:ud ofs.0 data.0")),
            (4, 4, format!("gather.4 (M1, 16) {surface} 0x0:ud ofs.0 data.0")),
            (2, 2, format!("scatter.2 (M1, 16) {surface} 0x0:ud ofs.0 data.0")),
            (1, 4, format!("dword_atomic.add (M1, 16) {surface} ofs.0 data.0 %null.0 what.0")),
        ];
        for (unit, bytes, text) in forms {
            add("SKL", 16, false, unit, bytes, memory, text);
        }
    }
    for (platform, memory, surface) in [("SKL", "bti1", "T6"), ("ICLLP", "slm", "%slm")] {
        add(platform, 16, true, 16, 64, memory, format!("oword_ld (4) {surface} ofs(0,0)<0;1,0> data.0"));
        add(platform, 16, true, 16, 64, memory, format!("oword_st (4) {surface} ofs(0,0)<0;1,0> data.0"));
    }
    add("SKL", 16, true, 1, 64, "bti1", "oword_ld_unaligned (4) T6 ofs(0,0)<0;1,0> data.0".to_owned());
    for (n_lanes, is_scalar, bytes, text) in [
        (8, false, 4, "svm_gather.4.1 (M1, 8) pointer.0 data.0"),
        (8, false, 4, "svm_scatter.4.1 (M1, 8) pointer.0 data.0"),
        (8, false, 4, "svm_atomic.add (M1, 8) pointer.0 data.0 what.0 %null.0"),
        (16, true, 64, "svm_block_ld (4) pointer(0,0)<0;1,0> data.0"),
        (16, true, 64, "svm_block_st (4) pointer(0,0)<0;1,0> data.0"),
        (16, false, 4, "svm_scatter4scaled.R (M1, 16) out(0,0)<0;1,0> wide.0 data.0"),
        (16, false, 8, "svm_gather4scaled.RG (M1, 16) out(0,0)<0;1,0> wide.0 data.0"),
    ] {
        add("SKL", n_lanes, is_scalar, 1, bytes, "out", text.to_owned());
    }
    all
}

#[test]
fn a_work_item_outside_is_named_in_every_form() {
    for form in forms() {
        let Form { memory, text, .. } = &form;
        let (last, size) = form.last();
        let found = form.findings(size);
        assert!(found.is_empty(), "{memory}, {text}: {}", found[0].message);
        let found = form.findings(size - 1);
        assert_eq!(found.len(), 1, "{memory}, {text}");
        assert!(found[0].message.contains(&format!("({last}, 0, 0)")), "{memory}, {text}: {}", found[0].message);
    }
}

#[test]
fn what_never_leaves_its_memory_is_counted_in_every_form() {
    for form in forms() {
        let (_, size) = form.last();
        assert_eq!(form.bounds(size), [Bounds::Inside], "{}, {}", form.memory, form.text);
        assert_eq!(form.bounds(size - 1), [Bounds::Open], "{}, {}", form.memory, form.text);
    }
}
