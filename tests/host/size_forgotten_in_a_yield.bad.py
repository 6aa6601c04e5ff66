def program():
    yield "mov (M1, 16) a(0,0)<1> b(0,0)<1;1,0>"
    yield "add a(0,0)<1> a(0,0)<1;1,0> 0x1:d"
