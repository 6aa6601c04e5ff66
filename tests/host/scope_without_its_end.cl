// A scope that is not closed.
#define WITH_TMP(id, body) do { __asm__ volatile("{\n.decl tmp_" #id " v_type=G type=d num_elts=16 align=GRF\n" body "\nnmov" : "+rw"(x)); } while (0)
  WITH_TMP(a, "mov (M1, 16) tmp_a(0,0)<1> %0(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> tmp_a(0,0)<1;1,0>");
  WITH_TMP(b, "mov (M1, 16) tmp_b(0,0)<1> %0(0,0)<1;1,0>\nmov (M1, 16) %0(0,0)<1> tmp_a(0,0)<1;1,0>");

// A kernel within a kernel.
kernel void k(global int *p) {
  asm volatile("lsc_store.ugm (M1, 16) flat[%0]:a64 %1:d32" :: "rw"(p + get_global_id(0)), "rw"(s.hi));
                   [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
kernel void k(global int *a, int s) {
