TEMPLATE = """
.decl {name} v_type=G type={ty} num_elts={n} align=wordx32
mov (M1, 16) {name}(0,0)<1> 0x0:{ty}
"""
def emit(name, ty, n):
    return TEMPLATE.format(name=name, ty=ty, n=n)
