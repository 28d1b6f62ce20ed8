/* How conversions and arithmetic may round. cuda_runtime.h includes this. */
#ifndef S2S_DEVICE_TYPES_H
#define S2S_DEVICE_TYPES_H
#define __DEVICE_TYPES_H__

enum cudaRoundMode { cudaRoundNearest = 0, cudaRoundZero = 1, cudaRoundPosInf = 2, cudaRoundMinInf = 3 };

#endif
