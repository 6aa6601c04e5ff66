import triton.language as tl
REG = {"dst": "(0,0)<1>", "src": "(0,0)<1;1>"}
ADD = "add (M1, 16) $0%(dst)s $1%(src)s 0x1:d" % REG
def inc(x):
    return tl.inline_asm_elementwise(ADD, "=rw,rw", [x], dtype=tl.int32, is_pure=True, pack=1)
