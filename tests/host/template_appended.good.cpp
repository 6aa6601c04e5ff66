#include "llvm/IR/InlineAsm.h"
llvm::Value *emit(llvm::IRBuilder<> &b, llvm::FunctionType *type, llvm::Value *v, bool twice) {
  std::string text = "{\n.decl tmp v_type=G type=d num_elts=16 align=GRF\n";
  text += "mov (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0>\n";
  if (twice)
    text += "add (M1, 16) tmp(0,0)<1> tmp(0,0)<1;1,0> 0x1:d\n";
  text += "mov (M1, 16) $0(0,0)<1> tmp(0,0)<1;1,0>\n";
  text += "}\n";
  return b.CreateCall(llvm::InlineAsm::get(type, text, "=rw,rw", true), {v});
}
