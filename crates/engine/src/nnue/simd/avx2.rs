//! Vectors of 256 bits.

use std::arch::x86_64::*;

super::vector_kernels! {
    name: "AVX2", features: "avx2", vector: __m256i, parts: 2, tile: 4,
    load: _mm256_load_si256, store: _mm256_store_si256, set: _mm256_set1_epi16,
    add: _mm256_add_epi16, sub: _mm256_sub_epi16, min: _mm256_min_epi16, max: _mm256_max_epi16,
    mul: _mm256_mullo_epi16, dot: dot,
    set32: _mm256_set1_epi32, store32: _mm256_storeu_si256, lanes32: 8
}

#[inline]
#[target_feature(enable = "avx2")]
fn dot(sums: __m256i, a: __m256i, b: __m256i) -> __m256i {
    _mm256_add_epi32(sums, _mm256_madd_epi16(a, b))
}
