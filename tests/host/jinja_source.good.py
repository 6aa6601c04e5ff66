from jinja2 import Template
K = Template("""
__attribute__((intel_reqd_sub_group_size({{ simd }})))
kernel void k(global float *p) {
  float a = p[get_global_id(0)], b;
  __asm__ volatile("inv (M1, {{ simd }}) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(b) : "rw"(a));
  p[get_global_id(0)] = b;
}
""")
def render(simd):
    return K.render(simd=simd)
OF_BRANCHES = Template("""
kernel void k(global float *p) {
  float a = p[get_global_id(0)], b;
  __asm__ volatile("{% if fast %}inv{% else %}sqrt{% endif %} (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(b) : "rw"(a));
}
""")
