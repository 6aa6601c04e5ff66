class Builder:
    def __init__(self):
        self.out = []
    def emit(self, s):
        self.out.append(s)
    def prologue(self, simd):
        self.emit(".decl tid v_type=G type=ud num_elts=16 align=wordx32")
        self.emit("mov (M1_NM, %d) tid(0,0)<1> 0x0:ud" % simd)
        self.emit("add (M1_NM, 16) tid(0,0)<1> tid(0,0)<1;1,0> ")
