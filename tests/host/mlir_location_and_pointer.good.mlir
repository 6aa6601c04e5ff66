#loc = loc("k.py":1:1)
"builtin.module"() ({
  "llvm.func"() <{sym_name = "k"}> ({
  ^bb0(%p: !llvm.ptr<3>, %x: i32):
    "llvm.inline_asm"(%p, %x) <{asm_dialect = 0 : i64, asm_string = "lsc_store.slm (M1, 16) flat[$0]:a32 $1:d32", constraints = "rw,rw", has_side_effects}> : (!llvm.ptr<3>, i32) -> () loc(#loc)
  }) : () -> ()
}) : () -> ()
