// A function that calls itself has the sub-group of those that call it.
static void helper(int *p, int n) {
    int v = p[n];
    __asm__("mov (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n" : "+rw"(v));
    if (n > 0) helper(p, n - 1);
}
[[sycl::reqd_sub_group_size(8)]] void k(int *p) { helper(p, 4); }
