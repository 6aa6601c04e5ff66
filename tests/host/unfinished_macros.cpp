// An operand of the vector backend without a region.
  asm volatile("{\n.decl t v_type=G type=f num_elts=8 align=GRF\n"
               "mov (M1, 8) %0 t\n}" : "=r"(y) : "r"(x));

// An address that is no variable, behind the arguments of a macro.
#define LSC_LOAD_(cache, size, dst, ptr) \
  __asm__ volatile("lsc_load.ugm" cache " (M1, 16) %0:" size " flat[d1]:a64" : "=rw"(dst) : "rw"(ptr))
#define LSC_LOAD_U32(cache, dst, ptr) LSC_LOAD_(cache, "d32", dst, ptr)
inline unsigned ld2(const unsigned *p) { unsigned v; LSC_LOAD_U32(".wt.wt", v, p); return v; }

// A mask that is a register.
void header(FILE *file, int lanes) {
    fprintf(file, ".decl sum v_type=G type=f num_elts=%d align=GRF\n", lanes);
    fprintf(file, "mul (%r0, 16) sum(0,0)<1> sum(0,0)<1;1,0> 0x%x\n", lanes);
}

// A macro without a name.
#define ((dstuw ptr, cache, size) \
  __asm__ volatile("lsc_load.ugm" cache " (M9, 16) %0:" size " flat[%1]:a64" : "=rw"(dst) : "rw"(ptr))

// A parameter that is a template.
template <int N> void f(f *p) {
  asm volatile("lsc_load.ugm.ca.ca (M1, 16) %0:d32x%2 flat[%1]:a64" : "=rw"(y) : "rw"(p), "P"(N));

// A cast to a type that is not known.
  q.parallel_for(sycl:endifnd_range<1>{1024, 64}, [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    const size_t id = it.get_global_id(0);
    asm volatile("lsc_load.ugm (M1, %2) %0:d32 flat[%1]:a64\n"
        : "=rw"(d)
        : "rw"(a),
          "P"((or)id));
