// A subroutine in two statements.
  asm("mov (16) %0(0,0)<1> %1(0,0)<1;1,0>\n.function \"f\"\n" : "=rw"(y) : "rw"(x));
  asm("mov (16) %0(0,0)<1> %1(0,0)<1;1,0>\n.function \"f\"\n" : "=rw"(y) : "rw"(x));
