llvm.func @f(%a: f32) -> !llvm.struct<(f32, f32)> {
  %r = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>\0Amov (M1, 16) $1(0,0)<1> $3(0,0)<1;1,0>",
      "=rw,=rw,rw" %a : (f32) -> !llvm.struct<(f32, f32)>
  llvm.return %r : !llvm.struct<(f32, f32)>
}
