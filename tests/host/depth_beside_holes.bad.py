from string import Template

body = []
for i in range(4):
    body.append(Template("dpas.hf.hf.4.8 (M1, 16) $$0.$off $$0.$off $$2.0 $$1(${row},0)").substitute(off=i * 512, row=i * 8))
