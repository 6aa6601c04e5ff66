void products(llvm::raw_ostream &os, unsigned n, StringRef d, StringRef a, StringRef b) {
  os << "dpas.hf.hf.8." << n << " (M1, 16) " << d << ".0 " << d << ".0 " << b << ".0 " << a << "(0,0)\n";
}
