#include "llvm/Support/raw_ostream.h"
std::string store(unsigned lanes, llvm::StringRef address, llvm::StringRef value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "lsc_store.ugm.wt.uc (M1, " << lanes << ") flat[" << address << "]:a64 " << value << ":d32\n";
  os << "lsc_store.ugm.uc" << address << " (M1, " << lanes << ") flat[" << address << "]:a64 " << value << ":d32\n";
  return os.str();
}
