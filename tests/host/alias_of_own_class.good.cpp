struct Narrow {
    using Element = short;
    [[sycl::reqd_sub_group_size(16)]] void load(Element *p) {
        Element v;
        asm volatile("lsc_load.ugm (M1, 16) %0:d16u32 flat[%1]:a64" : "=rw"(*(int *)p) : "rw"(p));
        asm volatile("lsc_load.ugm (M1, 16) %0:d16u32 flat[%1]:a64" : "=rw"(*(int *)&v) : "rw"(p));
        *p = v;
    }
};

struct Wide {
    using Element = int;
    [[sycl::reqd_sub_group_size(16)]] void load(Element *p) {
        Element v;
        asm volatile("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(v) : "rw"(p));
        *p = v;
    }
};
