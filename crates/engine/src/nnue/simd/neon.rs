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
