module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 16 : i32} {
  llvm.func spir_kernelcc @matmul(%arg0: !llvm.ptr<1>, %arg1: !llvm.ptr<1>, %arg2: i32, %arg3: f16) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %0 = llvm.call spir_funccc @_Z22get_sub_group_local_idv() : () -> i32
    %1 = llvm.inline_asm has_side_effects asm_dialect = att "mov (M1, 16) $0(0,0)<1> $1(0,0)<0;1,0>", "=rw,rw.u" %0 : (i32) -> i32
    llvm.return
  }
}
