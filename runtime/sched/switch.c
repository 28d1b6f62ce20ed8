/* The assembly of the runtime: onto a stack of our own and back, and from gang to gang.
 *
 * Known as: the context switch of user-mode threads.
 *
 * All of it is plain x86-64, called as ordinary functions: vector registers are the callers' business, as the
 * System V ABI has it. Offsets: s2s_context {rsp 0, rip 8, rbp 16, gang 24}, 32 bytes; s2s_gang.context 32;
 * hthread.escape_rsp 0, hthread.in_kernel 8.
 */
#define _GNU_SOURCE
#include "sched/sched.h"

_Static_assert(offsetof(s2s_context, rsp) == 0 && offsetof(s2s_context, rip) == 8 && offsetof(s2s_context, rbp) == 16 &&
				   offsetof(s2s_context, gang) == 24 && sizeof(s2s_context) == 32,
	"s2s_context");
_Static_assert(offsetof(s2s_gang, context) == 32, "s2s_gang");
_Static_assert(offsetof(hthread, escape_rsp) == 0 && offsetof(hthread, in_kernel) == 8, "hthread");

/* s2s_enter(self, stack_top, function, arg). The caller's registers and its floating-point control words wait on the
 * caller's stack; self->escape_rsp says where. The function may have written over what is on its own stack, the
 * callee-saved registers among it: on return, nothing but thread-local memory is sure. */
__asm__(".text\n"
		".globl s2s_enter\n"
		".hidden s2s_enter\n"
		".type s2s_enter, @function\n"
		".p2align 4\n"
		"s2s_enter:\n"
		"	push %rbp\n"
		"	push %rbx\n"
		"	push %r12\n"
		"	push %r13\n"
		"	push %r14\n"
		"	push %r15\n"
		"	sub $8, %rsp\n"
		"	stmxcsr (%rsp)\n"
		"	fnstcw 4(%rsp)\n"
		"	mov %rsp, (%rdi)\n"
		"	mov %rsi, %rsp\n"
		"	mov %rcx, %rdi\n"
		"	call *%rdx\n"
		"	mov s2s_this_hthread@gottpoff(%rip), %rdi\n"
		"	mov %fs:(%rdi), %rdi\n"
		"	movb $0, 8(%rdi)\n"
		"	mov (%rdi), %rsp\n"
		"	xor %eax, %eax\n"
		"1:	add $8, %rsp\n"
		"	pop %r15\n"
		"	pop %r14\n"
		"	pop %r13\n"
		"	pop %r12\n"
		"	pop %rbx\n"
		"	pop %rbp\n"
		"	ret\n"
		".globl s2s_escape\n"
		".hidden s2s_escape\n"
		".type s2s_escape, @function\n"
		"s2s_escape:\n"
		"	cld\n"
		"	mov (%rdi), %rsp\n"
		"	ldmxcsr (%rsp)\n"
		"	fninit\n"
		"	fldcw 4(%rsp)\n"
		"	mov $1, %eax\n"
		"	jmp 1b\n"
		".size s2s_enter, . - s2s_enter\n");

/* s2s_run_ring(own, first, finished, go_on). `own` is the scheduler's context, after those of the gangs: a gang at
 * the end of the ring finds there in rbp the first context, and in `gang` the count of finished gangs. Generated
 * code leaves the upper halves of vector registers in use, which slows down other code. */
__asm__(".text\n"
		".globl s2s_run_ring\n"
		".hidden s2s_run_ring\n"
		".type s2s_run_ring, @function\n"
		".p2align 4\n"
		"s2s_run_ring:\n"
		"	push %rbp\n"
		"	push %rbx\n"
		"	push %r12\n"
		"	push %r13\n"
		"	push %r14\n"
		"	push %r15\n"
		"	lea 1f(%rip), %rax\n"
		"	lea 2f(%rip), %r8\n"
		"	test %ecx, %ecx\n"
		"	cmovz %r8, %rax\n"
		"	mov %rsp, (%rdi)\n"
		"	mov %rax, 8(%rdi)\n"
		"	mov %rsi, 16(%rdi)\n"
		"	mov %rdx, 24(%rdi)\n"
		"	mov (%rsi), %rsp\n"
		"	mov 16(%rsi), %rbp\n"
		"	jmp *8(%rsi)\n"
		".p2align 4\n"
		"1:	mov 24(%rsi), %rax\n"
		"	cmpl $0, (%rax)\n"
		"	jne 2f\n"
		"	mov %rbp, %rsi\n"
		"	mov (%rsi), %rsp\n"
		"	mov 16(%rsi), %rbp\n"
		"	jmp *8(%rsi)\n"
		".p2align 4\n"
		"2:	vzeroupper\n"
		"	pop %r15\n"
		"	pop %r14\n"
		"	pop %r13\n"
		"	pop %r12\n"
		"	pop %rbx\n"
		"	pop %rbp\n"
		"	ret\n"
		".size s2s_run_ring, . - s2s_run_ring\n");

/* A gang that never ran is resumed here: rsi is its context, and at the top of its stack lie
 *   0: its gang function, 8: its gang, 16: the hthread's count of finished gangs.
 * It is entered by a jump, for CPUs predict only returns that match their calls. If the function returns, the context
 * is dropped (context->gang = 0) and the next one resumed. */
__asm__(".text\n"
		".globl s2s_gang_start\n"
		".hidden s2s_gang_start\n"
		".type s2s_gang_start, @function\n"
		".p2align 4\n"
		"s2s_gang_start:\n"
		"	mov 8(%rsp), %rdi\n"
		"	mov %rsi, 32(%rdi)\n"
		"	mov (%rsp), %rdx\n"
		"	lea 1f(%rip), %rax\n"
		"	push %rax\n"
		"	jmp *%rdx\n"
		"1:	mov 8(%rsp), %rdi\n"
		"	mov 16(%rsp), %rdx\n"
		"	mov 32(%rdi), %rax\n"
		"	incl (%rdx)\n"
		"	movq $0, 24(%rax)\n"
		"	lea 32(%rax), %rsi\n"
		"	mov (%rsi), %rsp\n"
		"	mov 16(%rsi), %rbp\n"
		"	jmp *8(%rsi)\n"
		".size s2s_gang_start, . - s2s_gang_start\n"
		".section .note.GNU-stack, \"\", @progbits\n"
		".text\n");
