// asm for the reduction
constexpr const char *kReduce = R"({
.decl tmp v_type=G type=f num_elts=16 align=GRF
addx (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>
mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>
})";
Value build(OpBuilder &b, Value x, Value y) {
  return b.create<LLVM::InlineAsmOp>(loc, f32, ValueRange{x, y}, kReduce, "=rw,rw,rw", false, false).getResult(0);
}
