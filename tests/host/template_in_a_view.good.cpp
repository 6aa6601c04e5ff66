#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IRBuilder.h"
using namespace llvm;
static Value *emitPrefetch(IRBuilder<> &B, Value *Ptr) {
  auto *FTy = FunctionType::get(B.getVoidTy(), {Ptr->getType()}, false);
  StringRef Text = R"(
    {
      lsc_load.ugm.ca.ca (M1, 16) %null:d32 flat[$0]:a64
    }
  )";
  auto *IA = InlineAsm::get(FTy, Text, "rw,~{memory}", /*hasSideEffects=*/true);
  return B.CreateCall(IA, {Ptr});
}
