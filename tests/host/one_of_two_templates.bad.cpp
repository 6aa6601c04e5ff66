#include "llvm/IR/InlineAsm.h"
llvm::InlineAsm *get(llvm::FunctionType *t, bool is_max) {
  return llvm::InlineAsm::get(t,
                              is_max ? "mx (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>"
                                     : "min (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>",
                              "=rw,rw,rw", false);
}
