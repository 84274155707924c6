//! Exponentials, logarithms and cosines from additions and multiplications alone. Those of the system differ from machine to
//! machine in their last bits, and a training must not.

/// One over the factorials of 0, 1, 2, …
const FACTORIALS: [f64; 14] = {
    let mut factors = [1.0; 14];
    let mut n = 1;
    while n < factors.len() {
        factors[n] = factors[n - 1] / n as f64;
        n += 1;
    }
    factors
};

/// e to the power of `x`; what would be no finite number is cut off.
pub fn exp(x: f64) -> f64 {
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = x.clamp(-700.0, 700.0);
    let power = (x * std::f64::consts::LOG2_E).round();
    let rest = x - power * LN2_HIGH - power * LN2_LOW;
    let series = FACTORIALS.iter().rev().fold(0.0, |sum, factor| sum * rest + factor);
    series * f64::from_bits(((power as i64 + 1023) as u64) << 52)
}

/// 1 / (1 + e^−x).
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// The natural logarithm of a normal number above zero.
pub fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut power = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        (mantissa, power) = (mantissa / 2.0, power + 1);
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let series = (0..=11).rev().fold(0.0, |sum, n| sum * s * s + 1.0 / f64::from(2 * n + 1));
    2.0 * s * series + power as f64 * std::f64::consts::LN_2
}

/// A number that is not negative to a power.
pub fn pow(x: f64, power: f64) -> f64 {
    if power == 1.0 {
        x
    } else if power == 2.0 {
        x * x
    } else if x < f64::MIN_POSITIVE {
        0.0
    } else {
        exp(power * ln(x))
    }
}

/// The cosine of `x` half turns, for x from 0 to 1.
pub fn cos_half_turns(x: f64) -> f64 {
    let angle = (0.5 - x) * std::f64::consts::PI;
    let series = (1..=10).rev().fold(1.0, |sum, n| 1.0 - sum * angle * angle / f64::from(2 * n * (2 * n + 1)));
    angle * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_the_system_computes_about() {
        for step in -2000..2000 {
            let x = f64::from(step) / 37.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-14, "exp {x}");
            assert!((sigmoid(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-15, "sigmoid {x}");
        }
        for step in 1..4000 {
            let x = f64::from(step) / 1000.0;
            assert!((ln(x) - x.ln()).abs() < 1e-14, "ln {x}");
            assert!((pow(x, 2.5) / x.powf(2.5) - 1.0).abs() < 1e-13, "pow {x}");
            let turn = x / 4.0;
            assert!((cos_half_turns(turn) - (std::f64::consts::PI * turn).cos()).abs() < 1e-13, "cos {turn}");
        }
        assert_eq!((pow(0.0, 1.5), pow(3.0, 1.0), pow(3.0, 2.0)), (0.0, 3.0, 9.0));
        assert!(exp(1e9).is_finite() && exp(-1e9) > 0.0);
    }
}
