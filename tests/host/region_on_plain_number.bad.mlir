module {
  llvm.func spir_kernelcc @test(%a: i32) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %cs = llvm.mlir.constant(42 : i32) : i32
    %r = llvm.inline_asm has_side_effects asm_dialect = att
      "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<0;1,0>", "=rw,rw,P" %a, %cs : (i32, i32) -> i32
    llvm.return
  }
}
