//! Vectors of 512 bits.

use std::arch::x86_64::*;

super::vector_kernels! {
    name: "AVX-512", features: "avx512f,avx512bw", vector: __m512i, parts: 1, tile: 8,
    load: _mm512_load_si512, store: _mm512_store_si512, set: _mm512_set1_epi16,
    add: _mm512_add_epi16, sub: _mm512_sub_epi16, min: _mm512_min_epi16, max: _mm512_max_epi16,
    mul: _mm512_mullo_epi16, dot: dot,
    set32: _mm512_set1_epi32, store32: _mm512_storeu_si512, lanes32: 16
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn dot(sums: __m512i, a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi32(sums, _mm512_madd_epi16(a, b))
}

super::tail_kernel! {
    features: "avx512f,avx512bw", vector: __m512i, parts: 1, chains: 4,
    load: _mm512_load_si512, store: _mm512_store_si512, set: _mm512_set1_epi32, add: _mm512_add_epi32
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn product(a: __m512i, b: __m512i) -> __m512i {
    let (low, high) = (_mm512_setzero_si512(), _mm512_set1_epi16(QA as i16));
    let a = _mm512_slli_epi16::<6>(_mm512_min_epi16(_mm512_max_epi16(a, low), high));
    _mm512_mulhrs_epi16(a, _mm512_min_epi16(b, high))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub fn pack(ours: __m512i, theirs: __m512i) -> __m512i {
    _mm512_packus_epi16(ours, theirs)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn dot4(sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(inputs, weights);
    _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}
