#include "llvm/IR/InlineAsm.h"
using namespace llvm;
Value *emitAbs(IRBuilder<> &B, Value *V) {
  auto *Ty = FunctionType::get(B.getInt32Ty(), {B.getInt32Ty()}, false);
  const char *Text = "mov (M1, 16) $0(0,0)<1> (abs)$1(0,0)<1;1,0>\n"
                     "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>";
  return B.CreateCall(InlineAsm::get(Ty, Text, "=rw,rw", /*hasSideEffects=*/true), {V});
}
