static const char *kSource = R"visa(
.version 3.6
.kernel "fill"
.decl ptr v_type=G type=uq num_elts=1 align=qword
.decl data v_type=G type=ud num_elts=8 align=GRF
.input ptr offset=32 size=8
mov (M1_NM, 8) data(0,0)<1> 0x2a:ud
svm_block_st (1) ptr.0 data.0
ret (M1, 1)
)visa";
