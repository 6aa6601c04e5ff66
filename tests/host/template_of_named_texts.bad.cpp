llvm::Value *emit(llvm::IRBuilder<> &b, llvm::FunctionType *type, llvm::Value *v) {
  const std::string lanes = "(M1, 16)";
  const std::string text = "mov " + lanes + " $0(0,0)<1> $2(0,0)<1;1,0>\n";
  return b.CreateCall(llvm::InlineAsm::get(type, text, "=rw,rw", true), {v});
}
