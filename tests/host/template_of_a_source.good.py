from string import Template

SOURCE = Template("""
kernel void ${name}(global int *p)
{
    int x = p[0], r;
    __asm__("${op} (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\\n" : "=rw"(r) : "rw"(x));
    p[0] = r;
}
""")
