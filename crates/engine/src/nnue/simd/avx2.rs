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

super::tail_kernel! {
    features: "avx2", vector: __m256i, parts: 2, chains: 2,
    load: _mm256_load_si256, store: _mm256_store_si256, set: _mm256_set1_epi32, add: _mm256_add_epi32
}

#[inline]
#[target_feature(enable = "avx2")]
fn product(a: __m256i, b: __m256i) -> __m256i {
    let (low, high) = (_mm256_setzero_si256(), _mm256_set1_epi16(QA as i16));
    let a = _mm256_slli_epi16::<6>(_mm256_min_epi16(_mm256_max_epi16(a, low), high));
    _mm256_mulhrs_epi16(a, _mm256_min_epi16(b, high))
}

#[inline]
#[target_feature(enable = "avx2")]
fn pack(ours: __m256i, theirs: __m256i) -> __m256i {
    _mm256_packus_epi16(ours, theirs)
}

#[inline]
#[target_feature(enable = "avx2")]
fn dot4(sums: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
    let pairs = _mm256_maddubs_epi16(inputs, weights);
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}
