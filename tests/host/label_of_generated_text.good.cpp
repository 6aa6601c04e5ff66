#include <string>
std::string loop_text() {
  std::string s;
  s += "{\n";
  s += ".decl ctr v_type=G type=d num_elts=1\n";
  s += ".decl pr v_type=P num_elts=1\n";
  s += "mov (M1_NM, 1) ctr(0,0)<1> 0x0:d\n";
  s += "repeat_here:\n";
  s += "add (M1_NM, 1) ctr(0,0)<1> ctr(0,0)<0;1,0> 0x1:d\n";
  s += "cmp.lt (M1_NM, 1) pr ctr(0,0)<0;1,0> 0x8:d\n";
  s += "(pr) goto (M1, 1) repeat_here\n";
  s += "}\n";
  return s;
}
