class Emitter:
    def emit(self, text):
        self.lines.append(text)

    def fence(self):
        self.emit("lsc_fence.ugm.evict.gpu")
        self.emit("lsc_fence")
        self.emit("lsc_fence.ugm")
        self.emit("lsc_load.ugm.ca.ca")

    NAMES = ["lsc_fence", "barrier", "sbarrier.wait", "wait", "lsc_load.ugm"]
