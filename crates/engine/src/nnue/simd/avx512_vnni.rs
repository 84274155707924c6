//! Vectors of 512 bits, and the instruction that adds four products of bytes at once: the tail is faster with it.

use std::arch::x86_64::*;

use super::avx512::{self, load, pack, product};
use super::{Bytes, Kernels, Lane, Small};

pub const KERNELS: Kernels = Kernels { name: "AVX-512 VNNI", tail, ..avx512::KERNELS };

super::tail_kernel! {
    features: "avx512f,avx512bw,avx512vnni", vector: __m512i, parts: 1, chains: 4,
    load: _mm512_load_si512, store: _mm512_store_si512, set: _mm512_set1_epi32, add: _mm512_add_epi32
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot4(sums: __m512i, inputs: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpbusd_epi32(sums, inputs, weights)
}
