#include "llvm/Support/FormatVariadic.h"
static std::string load(StringRef type, unsigned bits) {
  constexpr StringLiteral format = R"({
  .decl RET v_type=G type={0} num_elts=32 align=wordx32 alias=<$0, 0>
  .decl PRED v_type=P num_elts=32
  cmp.eq (M1_NM, 32) PRED 0x1:b $2(0, 0)<1;1,0>
  (PRED) lsc_load.ugm (M1_NM, 32)  RET:d{1}  flat[$1]:a63
})";
  return llvm::formatv(format.data(), type, bits).str();
}
