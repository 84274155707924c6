//! Vectors of 128 bits, which every 64-bit ARM processor has.

use std::arch::aarch64::*;

super::vector_kernels! {
    name: "NEON", features: "neon", vector: int16x8_t, parts: 4, tile: 4,
    load: vld1q_s16, store: vst1q_s16, set: vdupq_n_s16,
    add: vaddq_s16, sub: vsubq_s16, min: vminq_s16, max: vmaxq_s16,
    mul: vmulq_s16, dot: dot,
    set32: vdupq_n_s32, store32: vst1q_s32, lanes32: 4
}

#[inline]
#[target_feature(enable = "neon")]
fn dot(sums: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t {
    vmlal_high_s16(vmlal_s16(sums, vget_low_s16(a), vget_low_s16(b)), a, b)
}

super::tail_kernel! {
    features: "neon", vector: int32x4_t, parts: 4, chains: 1,
    load: vld1q_s32, store: vst1q_s32, set: vdupq_n_s32, add: vaddq_s32
}

#[inline]
#[target_feature(enable = "neon")]
fn product(a: int16x8_t, b: int16x8_t) -> int16x8_t {
    let (low, high) = (vdupq_n_s16(0), vdupq_n_s16(QA as i16));
    let a = vshlq_n_s16::<6>(vminq_s16(vmaxq_s16(a, low), high));
    vqrdmulhq_s16(a, vminq_s16(b, high))
}

#[inline]
#[target_feature(enable = "neon")]
fn pack(ours: int16x8_t, theirs: int16x8_t) -> int32x4_t {
    vreinterpretq_s32_u8(vqmovun_high_s16(vqmovun_s16(ours), theirs))
}

#[inline]
#[target_feature(enable = "neon")]
fn dot4(sums: int32x4_t, inputs: int32x4_t, weights: int32x4_t) -> int32x4_t {
    let (inputs, weights) = (vreinterpretq_s8_s32(inputs), vreinterpretq_s8_s32(weights));
    let low = vmull_s8(vget_low_s8(inputs), vget_low_s8(weights));
    vpadalq_s16(sums, vpaddq_s16(low, vmull_high_s8(inputs, weights)))
}
