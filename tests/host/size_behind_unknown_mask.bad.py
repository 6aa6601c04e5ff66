def quarter(i):
    return "add (M%d_NM, 6) dst(0,0)<1> src(0,0)<1;1,0> 0x1:ud\n" % i
