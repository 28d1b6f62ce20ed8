	.file	"<string>"
	.text
	.p2align	4                               # -- Begin function f
	.type	f,@function
f:                                      # @f
# %bb.0:                                # %entry
	addl	$3, %esi
	movl	%esi, (%rdi)
	retq
.Lfunc_end0:
	.size	f, .Lfunc_end0-f
                                        # -- End function
	.section	.rodata.cst4,"aM",@progbits,4
	.p2align	2, 0x0                          # -- Begin function f.general
.LCPI1_0:
	.long	4294967264                      # 0xffffffe0
.LCPI1_1:
	.long	3                               # 0x3
	.text
	.p2align	4
	.type	f.general,@function
f.general:                              # @f.general
# %bb.0:                                # %entry
	pushq	%rbp
	movq	%rsp, %rbp
	andq	$-64, %rsp
	subq	$320, %rsp                      # imm = 0x140
# %bb.1:                                # %start
	movw	$0, 42(%rsp)
	movq	%rsi, 56(%rsp)
	movl	%edx, 52(%rsp)
	movl	%edx, 48(%rsp)
	vmovaps	64(%rsp), %ymm0
	vmovaps	96(%rsp), %ymm1
	vpbroadcastd	.LCPI1_0(%rip), %ymm2   # ymm2 = [4294967264,4294967264,4294967264,4294967264,4294967264,4294967264,4294967264,4294967264]
	vpand	%ymm2, %ymm1, %ymm1
	vpand	%ymm2, %ymm0, %ymm0
	vpbroadcastd	.LCPI1_1(%rip), %ymm2   # ymm2 = [3,3,3,3,3,3,3,3]
	vpor	%ymm2, %ymm0, %ymm0
	vpor	%ymm2, %ymm1, %ymm1
	vmovaps	%ymm1, 96(%rsp)
	vmovaps	%ymm0, 64(%rsp)
	movl	%edx, 44(%rsp)
	vmovaps	%ymm1, 224(%rsp)
	vmovaps	%ymm0, 192(%rsp)
	vmovd	%edx, %xmm2
	vpbroadcastd	%xmm2, %ymm2
	vpaddd	%ymm0, %ymm2, %ymm0
	vpaddd	%ymm1, %ymm2, %ymm1
	movzwl	%di, %eax
	lzcntl	%eax, %eax
	movl	$31, %ecx
	subl	%eax, %ecx
	andl	$15, %ecx
	vmovaps	%ymm1, 160(%rsp)
	vmovaps	%ymm0, 128(%rsp)
	movl	128(%rsp,%rcx,4), %eax
	movl	%eax, (%rsi)
# %bb.2:                                # %return
	movq	%rbp, %rsp
	popq	%rbp
	vzeroupper
	retq
.Lfunc_end1:
	.size	f.general, .Lfunc_end1-f.general
                                        # -- End function
	.p2align	4                               # -- Begin function f.range0
	.type	f.range0,@function
f.range0:                               # @f.range0
# %bb.0:                                # %entry
	cmpq	%rcx, %rdx
	jae	.LBB2_9
# %bb.1:                                # %block.preheader
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	movq	%rdx, %r8
	movq	32(%rdi), %r11
	movq	(%r11), %r9
	movl	(%rdi), %r10d
	movl	12(%rdi), %edi
	movq	%rdx, %rax
	shrq	$32, %rax
	je	.LBB2_2
# %bb.3:
	movq	%r8, %rax
	xorl	%edx, %edx
	divq	%r10
	jmp	.LBB2_4
.LBB2_2:
	movl	%r8d, %eax
	xorl	%edx, %edx
	divl	%r10d
                                        # kill: def $edx killed $edx def $rdx
.LBB2_4:
	movl	8(%r11), %eax
	addl	$3, %eax
	movl	$64, %r11d
	xorl	%ebx, %ebx
	jmp	.LBB2_5
	.p2align	4
.LBB2_7:                                #   in Loop: Header=BB2_5 Depth=1
	movl	%ebp, %r14d
	addl	%ebp, %edx
	cmpl	%r10d, %edx
	cmovael	%ebx, %edx
	addq	%r14, %r8
	cmpq	%rcx, %r8
	jae	.LBB2_8
.LBB2_5:                                # %block
                                        # =>This Inner Loop Header: Depth=1
	movq	%r8, 285696(%rsi)
	movq	%rcx, %r14
	subq	%r8, %r14
	cmpq	$64, %r14
	cmovaeq	%r11, %r14
	movl	%r10d, %ebp
	subl	%edx, %ebp
	cmpl	%r14d, %ebp
	cmovael	%r14d, %ebp
	movl	%ebp, 285704(%rsi)
	testl	%ebp, %ebp
	sete	%r14b
	testl	%edi, %edi
	sete	%r15b
	orb	%r14b, %r15b
	jne	.LBB2_7
# %bb.6:                                #   in Loop: Header=BB2_5 Depth=1
	movl	%eax, (%r9)
	jmp	.LBB2_7
.LBB2_8:
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB2_9:                                # %block.done
	retq
.Lfunc_end2:
	.size	f.range0, .Lfunc_end2-f.range0
                                        # -- End function
	.p2align	4                               # -- Begin function f.gang0
	.type	f.gang0,@function
f.gang0:                                # @f.gang0
# %bb.0:                                # %entry
	movl	28(%rdi), %ecx
	movq	(%rdi), %rsi
	movl	12(%rsi), %r8d
	movl	%ecx, %eax
	xorl	%edx, %edx
	divl	%r8d
	movl	%edx, 48(%rdi)
	xorl	%edx, %edx
	divl	16(%rsi)
	movl	%edx, 52(%rdi)
	movl	%eax, 56(%rdi)
	cmpl	%r8d, %ecx
	jae	.LBB3_1
# %bb.2:                                # %runs
	movq	32(%rsi), %rax
	movl	8(%rax), %esi
	movq	(%rax), %rdi
	jmp	f                               # TAILCALL
.LBB3_1:                                # %common.ret
	retq
.Lfunc_end3:
	.size	f.gang0, .Lfunc_end3-f.gang0
                                        # -- End function
	.p2align	4                               # -- Begin function f.range1
	.type	f.range1,@function
f.range1:                               # @f.range1
# %bb.0:                                # %entry
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbx
	subq	$24, %rsp
	movq	%rsi, (%rsp)                    # 8-byte Spill
	movq	%rcx, 8(%rsp)                   # 8-byte Spill
	cmpq	%rcx, %rdx
	jae	.LBB4_5
# %bb.1:                                # %block.preheader
	movq	32(%rdi), %rax
	movq	(%rax), %r12
	movl	8(%rax), %ebp
	movl	12(%rdi), %r15d
	movl	$32767, %ecx                    # imm = 0x7FFF
	movl	$65535, %ebx                    # imm = 0xFFFF
	.p2align	4
.LBB4_2:                                # %block
                                        # =>This Loop Header: Depth=1
                                        #     Child Loop BB4_3 Depth 2
	movq	%rdx, 16(%rsp)                  # 8-byte Spill
	movq	(%rsp), %rax                    # 8-byte Reload
	movq	%rdx, 285696(%rax)
	xorl	%r14d, %r14d
	movl	%r15d, %r13d
	.p2align	4
.LBB4_3:                                # %gang.1
                                        #   Parent Loop BB4_2 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	bzhil	%r13d, %ecx, %edi
	subl	$16, %r13d
	cmovael	%ebx, %edi
	movq	%r12, %rsi
	movl	%ebp, %edx
	callq	f.general
	movl	$32767, %ecx                    # imm = 0x7FFF
	addl	$16, %r14d
	cmpl	%r15d, %r14d
	jb	.LBB4_3
# %bb.4:                                # %gang.done
                                        #   in Loop: Header=BB4_2 Depth=1
	movq	16(%rsp), %rdx                  # 8-byte Reload
	incq	%rdx
	cmpq	8(%rsp), %rdx                   # 8-byte Folded Reload
	jb	.LBB4_2
.LBB4_5:                                # %block.done
	addq	$24, %rsp
	popq	%rbx
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	popq	%rbp
	retq
.Lfunc_end4:
	.size	f.range1, .Lfunc_end4-f.range1
                                        # -- End function
	.p2align	4                               # -- Begin function f.gang1
	.type	f.gang1,@function
f.gang1:                                # @f.gang1
# %bb.0:                                # %entry
	movq	(%rdi), %rcx
	movl	12(%rcx), %eax
	subl	28(%rdi), %eax
	jbe	.LBB5_1
# %bb.2:                                # %runs
	movq	32(%rcx), %rcx
	movl	8(%rcx), %edx
	movq	(%rcx), %rsi
	movl	$32767, %ecx                    # imm = 0x7FFF
	bzhil	%eax, %ecx, %ecx
	cmpl	$16, %eax
	movl	$65535, %edi                    # imm = 0xFFFF
	cmovbl	%ecx, %edi
	jmp	f.general                       # TAILCALL
.LBB5_1:                                # %common.ret
	retq
.Lfunc_end5:
	.size	f.gang1, .Lfunc_end5-f.gang1
                                        # -- End function
	.p2align	4                               # -- Begin function f.range3
	.type	f.range3,@function
f.range3:                               # @f.range3
# %bb.0:                                # %entry
	cmpq	%rcx, %rdx
	jae	.LBB6_9
# %bb.1:                                # %block.preheader
	pushq	%rbp
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	movq	%rdx, %r8
	movq	32(%rdi), %r11
	movq	(%r11), %r9
	movl	(%rdi), %r10d
	movl	12(%rdi), %edi
	movq	%rdx, %rax
	shrq	$32, %rax
	je	.LBB6_2
# %bb.3:
	movq	%r8, %rax
	xorl	%edx, %edx
	divq	%r10
	jmp	.LBB6_4
.LBB6_2:
	movl	%r8d, %eax
	xorl	%edx, %edx
	divl	%r10d
                                        # kill: def $edx killed $edx def $rdx
.LBB6_4:
	movl	8(%r11), %eax
	addl	$3, %eax
	movl	$64, %r11d
	xorl	%ebx, %ebx
	jmp	.LBB6_5
	.p2align	4
.LBB6_7:                                #   in Loop: Header=BB6_5 Depth=1
	movl	%ebp, %r14d
	addl	%ebp, %edx
	cmpl	%r10d, %edx
	cmovael	%ebx, %edx
	addq	%r14, %r8
	cmpq	%rcx, %r8
	jae	.LBB6_8
.LBB6_5:                                # %block
                                        # =>This Inner Loop Header: Depth=1
	movq	%r8, 285696(%rsi)
	movq	%rcx, %r14
	subq	%r8, %r14
	cmpq	$64, %r14
	cmovaeq	%r11, %r14
	movl	%r10d, %ebp
	subl	%edx, %ebp
	cmpl	%r14d, %ebp
	cmovael	%r14d, %ebp
	movl	%ebp, 285704(%rsi)
	testl	%ebp, %ebp
	sete	%r14b
	testl	%edi, %edi
	sete	%r15b
	orb	%r14b, %r15b
	jne	.LBB6_7
# %bb.6:                                #   in Loop: Header=BB6_5 Depth=1
	movl	%eax, (%r9)
	jmp	.LBB6_7
.LBB6_8:
	popq	%rbx
	popq	%r14
	popq	%r15
	popq	%rbp
.LBB6_9:                                # %block.done
	retq
.Lfunc_end6:
	.size	f.range3, .Lfunc_end6-f.range3
                                        # -- End function
	.type	text,@object                    # @text
	.section	.rodata,"a",@progbits
text:
	.asciz	"f"
	.size	text, 2

	.type	f.offsets,@object               # @f.offsets
	.p2align	2, 0x0
f.offsets:
	.long	0                               # 0x0
	.long	8                               # 0x8
	.size	f.offsets, 8

	.type	f.sizes,@object                 # @f.sizes
	.p2align	2, 0x0
f.sizes:
	.long	8                               # 0x8
	.long	4                               # 0x4
	.size	f.sizes, 8

	.type	s2s_kernel_f,@object            # @s2s_kernel_f
	.section	.data.rel.ro,"aw",@progbits
	.globl	s2s_kernel_f
	.p2align	4, 0x0
s2s_kernel_f:
	.quad	text
	.quad	f.range0
	.quad	f.range1
	.quad	0
	.quad	f.range3
	.quad	0
	.quad	f.gang0
	.quad	f.gang1
	.quad	0
	.quad	0
	.quad	f.offsets
	.quad	f.sizes
	.long	2                               # 0x2
	.long	12                              # 0xc
	.long	0                               # 0x0
	.long	1024                            # 0x400
	.long	12                              # 0xc
	.long	64                              # 0x40
	.long	16                              # 0x10
	.long	0                               # 0x0
	.quad	0
	.long	0                               # 0x0
	.long	0                               # 0x0
	.size	s2s_kernel_f, 144

	.section	".note.GNU-stack","",@progbits
