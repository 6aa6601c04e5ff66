"""mov (M1, 16) takes two operands: the second one has a region <8;8>"""
import ops


def describe():
    """add (M1, 17) dst(0,0)<1> src(0,0)<1;1> is not legal"""
    print("sub (M1, 17) is no instruction of vISA at all")
    raise ValueError("lsc_load (M1, 16) needs the address in brackets: flat[V1]:a64")


def parts(to, source):
    return ops.join(["add (M1, 16)", f"{to}(0,0)<1>", f"{source}(0,0)<1;1,0>", "0x1:d"], " ")


def pieces(to):
    text = "add (M1, 16) " + to + "(0,0)<1> "
    text += ops.region(to) + " 0x1" + ":d"
    return text


def filled(kind):
    return ("{{\n.decl v v_type=G type={t} num_elts={n} align={al}\n"
            "mov (M1, 16) v(0,0)<1> 0x0:{t}\n}}").format(t=kind, n=16 if kind == "d" else 32, al="GRF")


LATER = "mov (M1, {simd}) $0(0,0)<1> 0x{value:x}:{kind}\n"
OLDER = "mov (M1, %d) $0(0,0)<1> 0x%x:%s\n"
BEGUN = "dpas.bf.bf.8.8 (M1, 16) $0.0 $0.0"
