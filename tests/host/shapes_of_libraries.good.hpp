#include <sycl/sycl.hpp>

struct lanes16 { int a, b, c, d; };
using quad = sycl::vec<uint32_t, 4>;
using short8 = short __attribute__((ext_vector_type(8)));
using int8v = int __attribute__((ext_vector_type(8)));
using float8v = float __attribute__((ext_vector_type(8)));

template <typename T> inline T fetch(const T *from) {
  static_assert(sizeof(T) == 16, "16 bytes");
  using words_t = uint32_t __attribute__((ext_vector_type(4)));
  words_t words;
  auto *at = reinterpret_cast<const void *>(from);
  asm volatile("lsc_load.ugm.uc.ca (M1, 32) %0:d32x4 flat[%1]:a64" : "=rw"(words) : "rw"(at));
  T out;
  __builtin_memcpy(&out, &words, 16);
  return out;
}

inline quad fetch_pack(const unsigned char *from) {
  quad value;
  auto &native = reinterpret_cast<quad::vector_t &>(value);
  asm volatile("lsc_load.ugm.uc.uc.uc (M1, 16) %0:d32x4 flat[%1]:a64\n" : "=rw"(native) : "rw"(from) : "memory");
  return value;
}

inline void publish() { asm volatile("lsc_fence.ugm.evict.sysrel" ::: "memory"); }

static inline void arrive(uint8_t id, uint8_t producers, uint8_t consumers) {
  asm volatile("nbarrier.signal %0(0,0)<0;1,0> %1(0,0)<0;1,0> %2(0,0)<0;1,0> %3(0,0)<0;1,0>\n"
               :: "rw"(id), "rw"((uint16_t)0), "rw"(producers), "rw"(consumers));
  asm volatile("nbarrier.wait %0(0,0)<0;1,0>" :: "rw"(id));
}

#define MULTIPLY(sum, left, right)                                    \
  asm("{\n"                                                           \
      ".decl C v_type=G type=F num_elts=128 alias=<%0,0>\n"           \
      ".decl A v_type=G type=UD num_elts=64 alias=<%1,0>\n"           \
      ".decl B v_type=G type=UD num_elts=128 alias=<%2,0>\n"          \
      "dpas.bf.bf.8.8 (M1, 16) C.0 C.0 B.0 A(0,0)\n"                  \
      "}\n" : "+rw"(sum) : "rw"(left), "rw"(right))
inline void step(float8v &sum, short8 left, int8v right) { MULTIPLY(sum, left, right); }

template <int From, class To, class In> inline void scale(To &out, In in) {
  asm("{\n"
      ".decl S v_type=G type=UB num_elts=32 alias=<%1,%2>\n"
      "mov (M1_NM, 16) %0(0,0)<1> S(0,0)<1;1,0>\n"
      "mov (M1_NM, 16) %0(0,32)<1> S(0,16)<1;1,0>\n"
      "}\n" : "=rw"(out[0]) : "rw"(in[0]), "P"(From));
}

using words4 = uint32_t __attribute__((ext_vector_type(4)));
inline void tile(const void *base, words4 &out) {
  int *payload = __builtin_IB_subgroup_createBlock2DAddressPayload((long)base, 63, 3, 63, 0, 0, 32, 4, 1);
  asm volatile("lsc_load_block2d.ugm (M1, 1)  %0:d16.1x32x4nn flat[%1+(0,0)]\n" : "=rw"(out) : "rw.u"(payload));
}
