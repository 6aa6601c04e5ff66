// Percent and dollar signs in every position of a text of MLIR.
llvm.func spir_kernelcc @f(%x: i32) attributes {intel_reqd_sub_group_size = 16 : i32} {
  %y0 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y1 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $01(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y2 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $2(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y3 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $99(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y4 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $99999999999(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y5 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $h1(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y6 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $x(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y7 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $long_name(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y8 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y9 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $$(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y10 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $$1(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y11 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${1}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y12 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${1:h}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y13 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${1:(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y14 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y15 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y16 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${x}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y17 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${:uid}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y18 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${:uid(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y19 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> ${9}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y20 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $(1)(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y21 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> %1(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y22 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> V%=(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y23 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> V${:uid}(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y24 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> %(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y25 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> % 1(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y26 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $[1](0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %y27 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> %[name](0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %z0 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\\n", "=rw,rw" %x : (i32) -> i32 // "quoted" // twice
  %z1 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\nmov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n", "=rw,rw" %x : (i32) -> i32 // "quoted" // twice
  %z2 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // a \" b\22", "=rw,rw" %x : (i32) -> i32 // "quoted" // twice
  %z3 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\t\5C\zz\0A", "=rw,rw" %x : (i32) -> i32 // "quoted" // twice
  %t0 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (f8E4M3FN) -> f8E4M3FN
  %t1 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (f8E5M2) -> f8E5M2
  %t2 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (i8) -> i8
  %t3 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (i1) -> i1
  %t4 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (bf16) -> bf16
  %t5 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (f16) -> f16
  %t6 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (f64) -> f64
  %t7 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (i64) -> i64
  %t8 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (i128) -> i128
  %t9 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (vector<2xi32>) -> vector<2xi32>
  %t10 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (vector<3xf16>) -> vector<3xf16>
  %t11 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (!llvm.ptr) -> !llvm.ptr
  %t12 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (!llvm.ptr<3>) -> !llvm.ptr<3>
  %t13 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (index) -> index
  %t14 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (memref<4xi32>) -> memref<4xi32>
  %t15 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (tf32) -> tf32
  %t16 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (ui16) -> ui16
  %t17 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (si16) -> si16
  %u0 = llvm.inline_asm has_side_effects asm_dialect = att "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x : (i32) -> i32
  %u1 = llvm.inline_asm has_side_effects "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,=rw,rw,*rw" %x, %x : (i32, !llvm.ptr) -> !llvm.struct<(i32, f32)>
  %u2 = llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw" %x
  llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "rw,rw" %x, %x : (i32, i32) -> ()
  llvm.inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "rw,rw" %x : (i32, ) -> ()
  llvm.return
}
