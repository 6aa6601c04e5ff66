llvm.func @f(%x: i32) -> i32 {
  %y = llvm.inline_asm asm_dialect = att "not (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw,rw" %x : (i32) -> i32
  llvm.return %y : i32
}
