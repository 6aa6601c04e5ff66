class Emitter:
    def emit(self, text):
        self.lines.append(text)

    def fence(self):
        self.emit("lsc_fence.ugm.evct.gpu")
