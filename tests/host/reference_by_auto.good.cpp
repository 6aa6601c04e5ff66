[[sycl::reqd_sub_group_size(16)]] void load(int *registers, const int *from) {
  auto &to = *reinterpret_cast<sycl::vec<int, 4> *>(registers);
  asm volatile("lsc_load.ugm (M1, 16) %0:d32x4 flat[%1]:a64" : "=rw"(to) : "rw"(from));
}
