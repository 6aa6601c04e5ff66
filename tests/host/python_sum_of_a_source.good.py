CACHE = {"load": "ca.ca", "store": "wt.wb"}


def source():
    text = "void f(int *p, int v) {\n"
    text += '  asm volatile("lsc_store.ugm.' + CACHE["store"] + ' (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p), "rw"(v));\n'
    text += "}\n"
    return text
