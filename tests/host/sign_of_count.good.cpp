int f(int op, int a) {
  switch (op) {
    case 0: asm("not (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(a)); break;
    case 1: asm("cbit (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>" : "+rw"(a)); break;
    default: asm volatile("" ::: "memory");
  }
  return a;
}
