// Two statements of which the second declares something like what the first does.
addx (M1, 16) tmp(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>
    ](cl::sycl::id<1> wiID) [[intel::reqd_sub_group_size(8)]] {
          asm volatile(".decl tmp1 v_type=G type=d num_elts=16 align=GRF\n"
                       ".decl TMP v_type=G type=f\n");
  }
