// A name is declared again in the same function.
llvm::Value *f(llvm::Type *type) {
    use(InlineAsm::get(type, ".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw", true));
    return InlineAsm::get(type, ".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw", true);
}
