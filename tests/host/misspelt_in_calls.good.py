class Emitter:
    def kernel(self):
        self.emit("{")
        self.emit(".decl t v_type=G type=ud num_elts=16 align=GRF")
        self.emit("mov (M1, 16) t(0,0)<1> 0x0:ud")
        self.emit("barrier")
        self.emit("}")
