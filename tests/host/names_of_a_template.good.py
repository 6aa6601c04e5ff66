import string

BODY = string.Template("""
{
.decl ${acc} v_type=G type=f num_elts=16 align=GRF
mov (M1, 16) ${acc}(0,0)<1> $$1(0,0)<1;1,0>
mul (M1, 16) $$0(0,0)<1> ${acc}(0,0)<1;1,0> ${acc}(0,0)<1;1,0>
}
""")


def square(acc="acc"):
    return BODY.substitute(acc=acc)
