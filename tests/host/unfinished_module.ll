; A column behind the register.
  %y = call i32
    asm sideeffect "not (M1, 17) $0(0,0)<1> $1(0,16)<1;1,0>",
    "=rw,rw"(i32 %x)

; Metadata behind a comment sign.
define spir_kernel void @ki32i32 %"a b") !intel_reqd_sub_group_size !0 {
  %r = call noundef i32 asm "asr (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:df", "=rw,rw"(i32 %"a b") ; "comment"
;0 = !{i32 16}
