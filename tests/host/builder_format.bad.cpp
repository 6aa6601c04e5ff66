std::string asm_body(int n) {
  return llvm::formatv(R"({{
.decl tmp v_type=G type=f num_elts={0} align=GRF
mov (M1, {0}) tmp(0,0)<1> $1(0,0)<1;1,0>
add (M1, {0}) $0(0,0)<1> tmp(0,0)<1;1,0> 0x0:flt
}})", n).str();
}
void g(B &b, int n) { b.create<LLVM::InlineAsmOp>(loc, t, v, body(n), "=rw,rw"); }
