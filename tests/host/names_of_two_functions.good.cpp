// Each function declares a name of its own.
llvm::Value *f(llvm::Type *type) {
    return InlineAsm::get(type, ".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw", true);
}
llvm::Value *g(llvm::Type *type) {
    return InlineAsm::get(type, ".decl t v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> t(0,0)<1;1,0>", "=rw,rw", true);
}
