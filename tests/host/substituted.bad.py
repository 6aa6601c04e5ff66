from string import Template
import triton.language as tl
CVT = Template("""{
.decl t v_type=G type=${ty} num_elts=16 align=hword
mov (M1, 16) t(0,0)<1> $$1(0,0)<1;1,0>
mov (M1, 16) $$0(0,0)<1> t(0,0)<1;1,0>
}""")
def cvt(x):
    return tl.inline_asm_elementwise(CVT.substitute(ty="fp16"), "=rw,rw", [x], dtype=tl.float32, is_pure=True, pack=1)
