// Which function of a name is called is not known: the one for integers has other callers.
static void helper(int *p) {
    int v = p[0];
    __asm__("mov (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0>\n" : "+rw"(v));
}
static void helper(float *p) {
    float v = p[0];
    __asm__("mov (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n" : "+rw"(v));
}
[[sycl::reqd_sub_group_size(8)]] void k(float *p) { helper(p); }
