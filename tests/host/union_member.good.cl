typedef union { float f[4]; float4 v; uint4 u; uchar16 b; } pack_t;
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void store4(__global uint *dst, __global const float4 *src)
{
    pack_t p;
    p.v = src[get_global_id(0)];
    __asm__ volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32x4\n"
                     :: "rw"(dst + get_global_id(0) * 4), "rw"(p.u));
}
