//! Vectors of 256 bits.

use std::arch::x86_64::*;

super::x86_kernels! {
    name: "AVX2", features: "avx2", vector: __m256i, parts: 2, tile: 4,
    load: _mm256_load_si256, store: _mm256_store_si256, zero: _mm256_setzero_si256, set: _mm256_set1_epi16,
    add: _mm256_add_epi16, sub: _mm256_sub_epi16, min: _mm256_min_epi16, max: _mm256_max_epi16,
    mul: _mm256_mullo_epi16, madd: _mm256_madd_epi16, add32: _mm256_add_epi32,
    store32: _mm256_storeu_si256, lanes32: 8
}
