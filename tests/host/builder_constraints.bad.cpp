#include "llvm/IR/InlineAsm.h"
using namespace llvm;
Value *emitCopy(IRBuilder<> &b, Value *v) {
  auto *ty = FunctionType::get(b.getInt32Ty(), {b.getInt32Ty()}, false);
  auto *body = InlineAsm::get(ty,
      "{\n"
      "move (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n"
      "}\n",
      "=rw,rw", /*hasSideEffects=*/true);
  return b.CreateCall(body, {v});
}
