from mlir.ir import Module, Context

SRC = r"""
module {
  llvm.func spir_kernelcc @k(%p: !llvm.ptr<1>) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %y = llvm.inline_asm has_side_effects asm_dialect = att "lsc_load.ugm (M1, 16) $0:d32 flat[$1]:a46", "=rw,rw" %p : (!llvm.ptr<1>) -> i32
    llvm.return
  }
}
"""

with Context():
    print(Module.parse(SRC))
