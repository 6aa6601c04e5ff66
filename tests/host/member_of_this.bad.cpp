struct Accumulator {
  short value;
  [[sycl::reqd_sub_group_size(16)]] void load(const int *from, const int *value) {
    asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(this->value) : "rw"(from));
    asm volatile("lsc_load.ugm (M1, 16) %0:d64 flat[%1]:a64" : "=rw"(value) : "rw"(from));
  }
};
