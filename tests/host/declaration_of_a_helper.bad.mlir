module {
  llvm.func spir_funccc @twice(%x: i32) -> i32 {
    %0 = llvm.inline_asm ".decl tw v_type=G type=d num_elts=16 align=GRF\0Aadd (M1, 16) tw(0,0)<1> $1(0,0)<1;1,0> $1(0,0)<1;1,0>\0Amov (M1, 16) $0(0,0)<1> tw(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
    llvm.return %0 : i32
  }
}
