module {
  func.func @k(%arg0: i32) -> i32 {
    %0 = "llvm.inline_asm"(%arg0) <{asm_string = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", constraints = "=rw,rw", asm_dialect = 0 : i64}> : (i32) -> i32
    return %0 : i32
  }
}
