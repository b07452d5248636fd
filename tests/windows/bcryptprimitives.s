.globl DllMainCRTStartup
DllMainCRTStartup:
	mov $1, %eax
	ret
