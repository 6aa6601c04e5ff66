const char *mlir = R"mlir(
llvm.func @f(%a: i32) -> i32 {
  %r = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %a : (i32) -> i32
  llvm.return %r : i32
}
)mlir";
const char *llvm =
    "define i32 @f(i32 %a) {\n"
    "  %d = call i32 asm \"mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\", \"=rw,rw\"(i32 %a)\n"
    "  ret i32 %d\n"
    "}\n";
