def emit(f, name):
    f.write("{\n")
    f.write(f".decl {name} v_type=G type=ud num_elts=16 align=GRF\n")
    f.write("barier\n")
    f.write(f"mov (M1, 16) {name}(0,0)<1> 0x0:ud\n")
    f.write("}\n")
