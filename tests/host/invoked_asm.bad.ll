define i32 @f(i32 %x) {
  %y = invoke i32 asm sideeffect "not (M1, 17) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"(i32 %x)
      to label %a unwind label %b
a:
b:
  ret i32 %y
}
