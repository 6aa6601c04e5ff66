from llvmlite import ir
i32 = ir.IntType(32)
fnty = ir.FunctionType(i32, [i32])

def emit(builder, value):
    asm = ir.InlineAsm(fnty, "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $1", "=rw,rw", side_effect=True)
    return builder.call(asm, [value])
