#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define LOAD(Lanes, Shape)                                                        \
  asm volatile("lsc_load.ugm (M1, " TEXT(Lanes) ") %0:" TEXT(Shape) " flat[%1]:a64\n" \
               : "=rw"(v) : "rw"(p))
#define STORE(Lanes) "lsc_store.ugm (M1, " TEXT(Lanes) ") flat[%1]:a64 %0:d32\n"
void f(int v, int *p) {
  LOAD(16, d32);
  asm volatile(STORE(LANES_OF_ANOTHER_FILE) : : "rw"(v), "rw"(p));
}
