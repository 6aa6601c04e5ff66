"""Statements that a test hands to a compiler one by one."""
ALL = [
    'asm("mov (M1, 8) %0(0,0)<1> 0x1:d" : "=rw"(x)); asm("ret;"); asm("add %0, %1" : "=r"(x) : "r"(y));',
    'asm("mov (M1, 8) %0(0,0)<1> %r0(0,0)<0;1,0>" : "=rw"(x));',
    'asm("mov (M1, 8) %0(0,0)<1> 0x1:d // one" ".decl T v_type=G type=d num_elts=8\\n" : "=rw"(x));',
    'inline_asm(f"mov{a} (M1, 8) $0(0,0)<1> {b}!{c}", "=rw", [])\n',
]
