// Each function declares a name of its own.
llvm.func @f(%x: i32) -> i32 {
  %y = llvm.inline_asm asm_dialect = att ".decl t v_type=G type=d num_elts=16 align=GRF\0Amov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\0Amov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  llvm.return %y : i32
}
llvm.func @g(%x: i32) -> i32 {
  %y = llvm.inline_asm asm_dialect = att ".decl t v_type=G type=d num_elts=16 align=GRF\0Amov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\0Amov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  llvm.return %y : i32
}
