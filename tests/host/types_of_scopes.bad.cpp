struct Wide {
  using value_t = float4;
  [[sycl::reqd_sub_group_size(16)]] void load(const float *from) {
    value_t v;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(from));
  }
};
struct Narrow {
  using value_t = float2;
};
template <typename element_t> struct Generic {
  using part = element_t;
  [[sycl::reqd_sub_group_size(16)]] void load(const void *from) {
    element_t v;
    asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(v) : "rw"(from));
  }
};
using element_t = short;
[[sycl::reqd_sub_group_size(16)]] void load(const float *from, float4 to, float2 other) {
  void (*done)(float to, int other) = nullptr;
  auto scale = [](float to) { return to * 2; };
  for (short to = 0; to < 3; to++) {
    char from = to;
    note(from);
  }
  try { scale(1); } catch (int to) { done(1, 2); }
  asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(to) : "rw"(from));
  asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(other) : "rw"(from));
}
