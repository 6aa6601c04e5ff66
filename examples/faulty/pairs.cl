// Inline vISA: each lane loads two dwords, and the operand has room for one.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void pairs(global const int *from, global int *to)
{
    size_t i = get_global_id(0);
    int pair;
    __asm__ volatile(
        "lsc_load.ugm (M1, 16) %0:d32x2 flat[%1]:a64\n"
        "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d; // next\n"
        : "=rw"(pair)
        : "rw"(from + 2 * i));
    to[i] = pair;
}
