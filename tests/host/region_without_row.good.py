def larger():
    return "max (M1, 16) D(0,0)<1> A(0,0)<1;1,0> B(0,0)<1;1,0>\n"
