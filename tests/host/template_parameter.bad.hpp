constexpr int N = 4;
template <int M, int N> inline void part(int &v) {
  asm volatile("{\n.decl T v_type=G type=d num_elts=%1 align=GRF\n"
               "mov (M1, 16) T(0,0)<1> 0x0:d\nmov (M1, 17) %0(0,0)<1> T(0,0)<1;1,0>\n}" : "=rw"(v) : "P"(N));
}
