import sys
from io import StringIO

class Emitter:
    def __init__(self):
        self.buf = StringIO()
    def line(self, text):
        self.buf.write(text + "\n")
    def add(self, d, a, b, n=16):
        self.line(f"add (M1, {n}) {d}(0,0)<1> {a}(0,0)<1;1,0> {b}(0,0)<1;1,0>")
    def load(self, d, a):
        self.line(f"lsc_load.ugm (M1, 16) {d}:d32 flat[{a}]:a64")
