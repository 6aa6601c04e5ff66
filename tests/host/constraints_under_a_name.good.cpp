#include "llvm/IR/InlineAsm.h"
llvm::Value *emit(llvm::IRBuilder<> &b, llvm::FunctionType *type, llvm::Value *v) {
  std::string text = "cbit (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>";
  std::string constraints = "=rw,rw";
  return b.CreateCall(llvm::InlineAsm::get(type, text, constraints, true), {v});
}
