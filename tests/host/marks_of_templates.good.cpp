#include <string>
static const char kBody[] = R"(
.decl acc v_type=G type=@KIND@ num_elts={{ n }} align=GRF
mov (M1, 16) acc(${ROW},0)<1> 0x0:f
mad (M1, 16) %DST%(0,0)<1> acc(#ROW#,0)<1;1,0> a__I__(0,0)<1;1,0> {B}(0,0)<0;1,0>
lsc_load.ugm.[[CACHE]] (M1, 16) <<TO>>:d32 flat[$from]:a64
)";
std::string replaced(std::string text, int n);
