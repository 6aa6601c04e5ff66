#include "llvm/IR/InlineAsm.h"
llvm::Value *emit(llvm::IRBuilder<> &b, llvm::FunctionType *type, llvm::Value *v, int n) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> " << n << ":d\n";
  os << "shl (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> 0x1\n";
  return b.CreateCall(llvm::InlineAsm::get(type, os.str(), "=rw,rw", true), {v});
}
