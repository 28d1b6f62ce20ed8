/* XORWOW: Marsaglia, "Xorshift RNGs", 2003, section 3.1. */
#ifndef S2S_CURAND_XORWOW_H
#define S2S_CURAND_XORWOW_H

/* Row k has the 160 bits of x^(2^k) modulo the characteristic polynomial of a step of `v` over the field of two
 * numbers.
 *
 * By the theorem of Cayley and Hamilton, 2^k steps are the sum of those step numbers whose bits are set.
 */
static __device__ const unsigned long long __s2s_xorwow_steps[131][3] = {{0x2, 0x0, 0x0}, {0x4, 0x0, 0x0},
	{0x10, 0x0, 0x0}, {0x100, 0x0, 0x0}, {0x10000, 0x0, 0x0}, {0x100000000, 0x0, 0x0}, {0x0, 0x1, 0x0}, {0x0, 0x0, 0x1},
	{0x7064f5bcbebd3534, 0x536d5b3220be29eb, 0x63a0069}, {0x4c2ee09f9df022be, 0xe711c2f80939c7c8, 0xc6f135ae},
	{0xafc48684ed64ec08, 0x1640314fd81c59ee, 0x2bf0ccef}, {0x3ff6a2d316ade0a0, 0x2e65a4974746bd83, 0x263e40a4},
	{0xee56d79c9d10e028, 0xf747418fb1b3286, 0x26f9476d}, {0x95328d41284e9f80, 0x1e655d9597ec0360, 0x60a9306f},
	{0x9ae593fc3f490634, 0xda10a3fc1a95bb6b, 0xa3abaf54}, {0x392ca981a80ecea0, 0xceb66042191e801e, 0x2f4edc3f},
	{0xbdaba0b2fb9680e9, 0x23fe6ccc3986540f, 0x994e82f}, {0x3e30e97d4d53badb, 0x5cd52f8719abbaf6, 0x98663641},
	{0x8013582932da6db4, 0x2060c3f93abd4734, 0x38b2dd97}, {0x66101a8bd3a57bd, 0x168906230b4f188e, 0x8bf58771},
	{0x4407a8140c5b636f, 0x5bd4dbd260204515, 0x2509eeb5}, {0x143dfcba87f2bfe, 0xfd21a24b4b5142ba, 0x3dac4527},
	{0x2b57aa9421e9179d, 0x6735dc985f06e1fc, 0x9aa0181f}, {0x2ff777f04a85a684, 0xd4e84a398e58b0ed, 0x6d37f6a0},
	{0x3d3e75c8793adf2b, 0x9deb3f500b091758, 0xbcd116ec}, {0x43629d4189c7a15d, 0xa7916f568a870ba5, 0x9db15489},
	{0x694921b1fa8fc346, 0x8b05ae1bf2bd4c48, 0x2de7aee2}, {0xd73ea395bc1bc6b9, 0xe45dbacdfbdd753d, 0x7b16eae0},
	{0xb9b4b3c4f144e1f3, 0x9072105a8222f622, 0x66083550}, {0x9ac20a72d88a6c5e, 0xe8e4fd8a209ef9a8, 0x1ec855a5},
	{0x9254a905bd734cf1, 0x11e62fd3fb38236d, 0xf9e7d21e}, {0x69fed6df8d333839, 0xa38a871479338fde, 0xe538bca},
	{0xc05db913943999e4, 0x9b865d3d4e4010f3, 0xfd64174}, {0x4f1636fa13da6451, 0xac374f446e523e62, 0x69a2e37f},
	{0xbaea375019eb1bbb, 0xd49dd0190fa8f206, 0x9b3bccaf}, {0x8fb0b988013e4fc6, 0x63941ad7bad0233b, 0xf5f02d75},
	{0x2ebac13dc97b5642, 0x2c6a7132bfe04058, 0x576780a5}, {0x5f64e54e4add1023, 0xcf4bd212b0c250a8, 0x9a873149},
	{0xa37bfcd30ac5eea9, 0xba339dbc790ec91d, 0xc83db5cd}, {0xcbfe08ec67dd06cb, 0x75fe23cff64e2fa5, 0xfc09983},
	{0x1ce9360da33b53ff, 0x5eacbcd4727f89b, 0x1632278}, {0xde7db529aee97cb, 0x51b8e04b74719fda, 0x959e9904},
	{0xd23a7f5a22b4f98c, 0xeadda8068d420edd, 0xcfd2a002}, {0xd19e838e817ef0eb, 0xf5ba04fbb26e9dc8, 0x8adf73e9},
	{0x3ab8e3d7f66ad52b, 0xe44a86051e8352a4, 0x6c106869}, {0xb4f4959e480973c1, 0x6f15e08e173d230a, 0xf07c940e},
	{0xc28d5d1879a31c08, 0x8b1bb8f891649708, 0xf9158a86}, {0x85425fb68e346bed, 0x4d16f104bcd60f3a, 0xff233c77},
	{0xa7bb9766670f870e, 0xeb4a1373ef013c78, 0x256f3323}, {0x682dbe059d89e990, 0x2cbf3ed6c85ca267, 0xfd2d1a54},
	{0x3b4e266bf333af18, 0x3888cd82a872663e, 0x4daf13ec}, {0x3728f391304ad7f4, 0xc7b1330dbf3ca967, 0x264c2cbd},
	{0x36bf3a975689dc9, 0x3bdff14f64ce979c, 0x51e43048}, {0xde99201442defd6d, 0x7802d9cb478a54ff, 0xb6d27a79},
	{0xefd6d1d8ef06fe75, 0x69d568f509319075, 0x5b2bd898}, {0xfacd06d951c810c4, 0x81ae21e0e3a66475, 0x6418d45c},
	{0xc4df4ca0f05ae255, 0xf44ae9f0f032420c, 0xe0298de2}, {0x7326e30af9b9947b, 0x91d00e4c3366c775, 0x86c178cc},
	{0xdbe74dee02308bc9, 0xaac571a1f4c5fe7d, 0xaa1f5f8b}, {0xd1bae4432d9c79b, 0xc92178df2bb4e02c, 0x6632236d},
	{0xed24ff66e8043ca, 0x538fc45f1e668b6a, 0x4bfb509d}, {0x48c2c2899319804d, 0x49929826e00641cb, 0x35e4c368},
	{0x543973e49f564f7b, 0x149df73a9b33ee2c, 0x58f31585}, {0xb6e2abc8bfe990f7, 0x240651ed011498fa, 0x88cb16b1},
	{0x22ed68326bd93537, 0x13e131d38b017aaf, 0x9c6b67eb}, {0xb53c89240d8c647e, 0x1d22be6eef4d989, 0x425b5575},
	{0xcbed02d4aaa88fa0, 0xefeef36c74c6e7f6, 0xa9e3aec1}, {0x77bbc24826294934, 0x930052d41a87dad0, 0x947e6dd2},
	{0x95e20ba65f39c379, 0x1244ce5e20e9ff72, 0xe8fd228f}, {0x37c549e0a7474d19, 0x24c43924140877d2, 0xcd52ebec},
	{0xb1c96c24e0360ec5, 0x666ff5dcdbb91766, 0xf19a7e52}, {0x35aa698afcc8f692, 0x448304b004ebbf85, 0x82f3fd5},
	{0xe851cf9848c289bd, 0xfd70752a845ad581, 0x2c3e63f6}, {0x77859d31e502f5b3, 0xea09047a97e1cbb3, 0x61d5f37e},
	{0x5a8655a9b89326d0, 0x2102162fb6e98f5, 0x7e6fcf6f}, {0xc6df3330b3a15db4, 0xf1e4b2211a8be751, 0x6bb61c05},
	{0x361e4422133de1d0, 0xd9719f45c6131fcf, 0x9658a164}, {0xf897421819e2bee8, 0xa25703364e65536a, 0xe9b88082},
	{0x2a21ce847863644b, 0xed01ce0e112e86f1, 0xba143e84}, {0xd10112790e2cae2e, 0x2bf650ba58923768, 0xc985bcda},
	{0x6596b510213a286a, 0x38a135476fc10eae, 0x11c7749e}, {0xa45b4452146281e7, 0x74a0ac94afa8c695, 0x4b250e0a},
	{0x790f3b4c2306bc52, 0xbc81d7c02fe473b9, 0x93efe98}, {0xf391431589658c8b, 0x3c5fadb6a73fe84b, 0xadba8dd6},
	{0x9caf5ed09e49814, 0x1b9981c16b2460d9, 0x2d1fefc3}, {0x9bb13c5582161afc, 0x306d90b9fd20d7fb, 0x92bf386f},
	{0xe08186496d32350, 0xe7faecf569faa798, 0xf1f951be}, {0x71da97053e9058c1, 0x73456536e2cb1f2b, 0xbd6501b6},
	{0xbfdd1b5d990ffc6e, 0xe972936ac83e520b, 0xac79abb9}, {0xb06d01a2b1321eb5, 0x8fb5996251532012, 0x141d3b0b},
	{0xd8a3d6013257dfe1, 0x845f36e43a58c735, 0x112c611}, {0xf57be00ea0ffe9a4, 0x191211efe706880c, 0xee5664fb},
	{0xc540c30a9a3385b8, 0x626569b241d1e0, 0x6b355fe9}, {0xac3e698be129d45d, 0x7a72a28bd61f79fd, 0x7f4942be},
	{0xae7b767d612501bb, 0x9bfaf8eaa66c165, 0x3e55c16d}, {0x33bc5a47874e26a7, 0x67651c39ad95cba5, 0xf1f07dca},
	{0x30e7a573b5ed0732, 0x2304f8fa5c056714, 0xebc584e1}, {0x2bdcc5a04b324c2e, 0xcac4fbc153eb4240, 0x13e529e7},
	{0xa2339994e1683e38, 0xc7c3f0b17308a647, 0x4a3dcd33}, {0xd77445c35fe4b704, 0x6720fc6db80eeb3c, 0x7da33f71},
	{0x435bf5e0ea0715d2, 0x2bf151748b125b82, 0x451636c0}, {0x55a8b8bb27786b0d, 0x548172a6ad73d087, 0xb8dcb607},
	{0x9333668eedbc74ac, 0x139bc1735330ec7e, 0x8df22694}, {0xe081adcc1e9372dd, 0xad599e4f9650df2, 0x21aeba83},
	{0x2bd032f81e94b95, 0x7cf446d14241ada2, 0x585759bb}, {0x2663dad8552ec26f, 0x538f9e9b25bf8d5e, 0x804bfd4c},
	{0x7cc53d77aed86880, 0x66b5ba472379080d, 0x271e9c90}, {0x454415efab750c90, 0xd23c81bed94a347c, 0x551c7096},
	{0x9b3a9b083024c55f, 0x3019557dcef11c55, 0x8303d6d}, {0xc1fd8153bc6d2665, 0xd70344ccd43c38c9, 0x279357c0},
	{0xda26a2f1685d57df, 0xe55bf1f15174006a, 0x5f20a739}, {0x3925e5e888aced61, 0xefa299b1c8af3caa, 0xbc1538f8},
	{0xf25d1aba2b0ca967, 0x683d05904062850b, 0xabd1b043}, {0x11a68894c3051a0a, 0xb9e1af760ec32c75, 0x45d20f13},
	{0xc68fea4bbd2198a4, 0x2b15c9cf09de877e, 0x7b2e8734}, {0xcf7989d854f062f0, 0x17d83e81443e496b, 0xa2be8639},
	{0x569129736cb408db, 0x21fbfabcebc71d0f, 0xf266d5dc}, {0x14dfd913267af43c, 0x227b1a062dbb25b6, 0x24402bc6},
	{0x4e3cf79bac63df96, 0x1a5771cfe20e3c11, 0xc0e37c49}, {0x7cfa6a50ad66cdfe, 0x7b18f04b8fca746a, 0x28eeb28f},
	{0xf7192531ef049d6f, 0x1ea75f09abc5f1de, 0x3be64a78}, {0x7735fb0337abb017, 0x520ea993557fb7cd, 0x69e4a18d},
	{0x9fb2f16fc83c8e40, 0x401ffac4f95170a2, 0x6b70bfeb}, {0xdfb37a953140fdd, 0x20be07e388772b05, 0x128c07bd},
	{0x9f52cccd5df0aeb5, 0x6935a9c0e8b1551, 0x648b1463}, {0x829ca1d21e72e926, 0xcea065e7084c2bd7, 0xd2b401bf},
	{0xd9a6c1c60b97fcd4, 0xcc8d909705a959a, 0xe38aca23}, {0x97c7960e93d21898, 0xd528a53db2899f9d, 0x4f33fca},
	{0xc18f6e560942240e, 0x61c8179b9551c4dd, 0xead20f15}, {0x4a7295af06e1a24f, 0x452ec8f15534bfe6, 0x79685920},
	{0x2de5181ca0bcccfe, 0xaf27908d33c9d258, 0xcfd04995}};

__device__ inline void __s2s_xorwow_step(unsigned *v) {
	unsigned t = v[0] ^ (v[0] >> 2);
	v[0] = v[1];
	v[1] = v[2];
	v[2] = v[3];
	v[3] = v[4];
	v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

/* Advance `v` by n * 2^first steps. */
__device__ inline void __s2s_xorwow_skip(unsigned long long n, int first, unsigned *v) {
	for (int row = first; n != 0; n >>= 1, row++) {
		if ((n & 1) == 0)
			continue;
		unsigned a = 0, b = 0, c = 0, d = 0, e = 0;
		for (int step = 0; step < 160; step++) {
			if (__s2s_xorwow_steps[row][step >> 6] >> (step & 63) & 1)
				a ^= v[0], b ^= v[1], c ^= v[2], d ^= v[3], e ^= v[4];
			__s2s_xorwow_step(v);
		}
		v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e;
	}
}

/* The counter grows by 362437 in each step. */
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
	__s2s_xorwow_skip(n, 0, state->v);
	state->d += 362437u * (unsigned)n;
}

/* Sequences are 2^67 numbers long. So many steps leave the counter as it is. */
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
	__s2s_xorwow_skip(n, 67, state->v);
}

__device__ inline void curand_init(
	unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW_t *state) {
	unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u);
	unsigned high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
	state->d = 6615241 + high + low;
	state->v[0] = 123456789 + low;
	state->v[1] = 362436069 ^ low;
	state->v[2] = 521288629 + high;
	state->v[3] = 88675123 ^ high;
	state->v[4] = 5783321 + low;
	state->boxmuller_flag = state->boxmuller_flag_double = 0;
	state->boxmuller_extra = 0;
	state->boxmuller_extra_double = 0;
	skipahead_sequence(subsequence, state);
	skipahead(offset, state);
}

__device__ inline unsigned curand(curandStateXORWOW_t *state) {
	__s2s_xorwow_step(state->v);
	state->d += 362437;
	return state->v[4] + state->d;
}

#endif
