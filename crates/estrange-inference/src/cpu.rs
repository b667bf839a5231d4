//! The vector instructions of this processor, found at run time, and elementary functions computed with them.
//!
//! All arithmetic is written once, over registers of any width. Each lane belongs to one token and lanes are never added
//! up, so every processor with a fused multiply-add gives the same bits, however wide its registers are.

use std::any::TypeId;

use pulp::{Arch, Scalar256b, Simd, WithSimd};

/// Which vector instructions to use.
#[derive(Debug, Clone, Copy)]
pub struct Cpu(Arch);

impl Cpu {
    /// The best that this processor has.
    pub fn detect() -> Self {
        Self(Arch::new())
    }

    /// What every machine has. It rounds more often than the others.
    #[cfg(test)]
    pub fn plain() -> Self {
        Self(Arch::Scalar)
    }

    /// All that this machine has and that may not differ from one another.
    #[cfg(test)]
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self(Arch::new())];
        #[cfg(target_arch = "x86_64")]
        all.extend(pulp::x86::V3::try_new().map(|v3| Self(Arch::V3(v3))));
        all
    }

    /// The instructions up to AVX2, if it has them.
    #[cfg(target_arch = "x86_64")]
    pub fn v3(self) -> Option<pulp::x86::V3> {
        match self.0 {
            Arch::V3(v3) => Some(v3),
            Arch::V4(v4) => Some(*v4),
            _ => None,
        }
    }

    /// All of its instructions, if it has AVX-512.
    #[cfg(target_arch = "x86_64")]
    pub fn v4(self) -> Option<pulp::x86::V4> {
        match self.0 {
            Arch::V4(v4) => Some(v4),
            _ => None,
        }
    }

    /// How many tokens lie beside each other: two registers full.
    pub fn width(self) -> usize {
        struct Width;
        impl WithSimd for Width {
            type Output = usize;
            #[inline(always)]
            fn with_simd<S: Simd>(self, _: S) -> usize {
                2 * S::F32_LANES
            }
        }
        self.run(Width)
    }

    /// Computes something with these instructions.
    pub fn run<O: WithSimd>(self, operation: O) -> O::Output {
        match self.0 {
            Arch::Scalar => operation.with_simd(Scalar256b),
            arch => arch.dispatch(operation),
        }
    }
}

/// What is done to each number between the two products of a feed-forward layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// GELU: `x Φ(x)`, where `Φ` is the normal distribution function.
    Gelu,
    /// GELU with `Φ` approximated by a hyperbolic tangent.
    GeluTanh,
    /// ReLU: `max(x, 0)`.
    Relu,
}

impl Activation {
    /// Its value at each number of a register.
    #[inline(always)]
    pub fn apply<S: Simd>(self, simd: S, x: S::f32s) -> S::f32s {
        match self {
            Self::Gelu => gelu(simd, x),
            Self::GeluTanh => gelu_tanh(simd, x),
            Self::Relu => simd.max_f32s(x, simd.splat_f32s(0.0)),
        }
    }
}

/// `left * right + more`, rounded once where the machine can do that.
#[inline(always)]
pub fn mul_add<S: Simd>(simd: S, left: S::f32s, right: S::f32s, more: S::f32s) -> S::f32s {
    // Without the instruction, rounding once would have to be computed, at a hundred times the cost.
    if TypeId::of::<S>() == TypeId::of::<Scalar256b>() {
        simd.add_f32s(simd.mul_f32s(left, right), more)
    } else {
        simd.mul_add_f32s(left, right, more)
    }
}

/// A polynomial's value, its coefficients from the highest power to the lowest.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, x: S::f32s, coefficients: [f32; N]) -> S::f32s {
    let mut value = simd.splat_f32s(coefficients[0]);
    for coefficient in &coefficients[1..] {
        value = mul_add(simd, value, x, simd.splat_f32s(*coefficient));
    }
    value
}

/// `e` to the power of `x`, for `x` from -87 to 88; what is below counts as -87. The error is below 2e-7 of the value.
#[inline(always)]
pub fn exp<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // e^x = 2^whole · e^rest, where rest is at most half of ln 2. Adding 1.5 · 2^23 rounds to a whole number, which is
    // then in the lowest bits.
    const SHIFT: f32 = 12_582_912.0;
    /// ln 2 in two parts, the first with zeros at its end so that its product with a small whole number is exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    let x = simd.max_f32s(x, simd.splat_f32s(-87.0));
    let shifted = mul_add(simd, x, simd.splat_f32s(std::f32::consts::LOG2_E), simd.splat_f32s(SHIFT));
    let whole = simd.sub_f32s(shifted, simd.splat_f32s(SHIFT));
    let rest = mul_add(simd, whole, simd.splat_f32s(-LN_2[0]), x);
    let rest = mul_add(simd, whole, simd.splat_f32s(-LN_2[1]), rest);
    let power =
        polynomial(simd, rest, [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 1.0 / 2.0, 1.0, 1.0]);
    let exponent = simd.add_u32s(simd.transmute_u32s_f32s(shifted), simd.splat_u32s(127));
    let scale = simd.transmute_f32s_u32s(simd.wrapping_dyn_shl_u32s(exponent, simd.splat_u32s(23)));
    simd.mul_f32s(power, scale)
}

/// `x Φ(x)`, where `Φ` is the normal distribution; its error is below 2e-7 of `x`.
#[inline(always)]
fn gelu<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    // erf(x / √2) as x · P(x²) / Q(x²), fitted on |x| ≤ 5.6 with the largest error least; beyond it is 1.
    const LIMIT: f32 = 5.6;
    const P: [f32; 6] = [4.428_834_7e-8, 1.271_207_8e-5, 3.476_660_4e-4, 9.414_304e-3, 6.874_957e-2, 0.797_884_44];
    const Q: [f32; 6] = [1.180_141_2e-6, 7.509_420_6e-5, 1.912_882_2e-3, 2.893_926_2e-2, 0.252_830_5, 1.0];
    let one = simd.splat_f32s(1.0);
    let minus_one = simd.splat_f32s(-1.0);
    let near = simd.max_f32s(simd.min_f32s(x, simd.splat_f32s(LIMIT)), simd.splat_f32s(-LIMIT));
    let square = simd.mul_f32s(near, near);
    let ratio = simd.div_f32s(polynomial(simd, square, P), polynomial(simd, square, Q));
    let erf = simd.max_f32s(simd.min_f32s(simd.mul_f32s(near, ratio), one), minus_one);
    let half = simd.mul_f32s(x, simd.splat_f32s(0.5));
    mul_add(simd, half, erf, half)
}

/// `x · sigmoid(y)`.
#[inline(always)]
pub fn times_sigmoid<S: Simd>(simd: S, x: S::f32s, y: S::f32s) -> S::f32s {
    let power = exp(simd, simd.min_f32s(simd.neg_f32s(y), simd.splat_f32s(87.0)));
    simd.div_f32s(x, simd.add_f32s(power, simd.splat_f32s(1.0)))
}

/// `x / 2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))`, which is `x / (1 + e^-2u)` with `u` the tangent's argument.
#[inline(always)]
fn gelu_tanh<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    const SCALE: f32 = 0.797_884_6;
    let square = simd.mul_f32s(x, x);
    let inner = mul_add(simd, square, simd.splat_f32s(0.044_715), simd.splat_f32s(1.0));
    times_sigmoid(simd, x, simd.mul_f32s(simd.mul_f32s(x, inner), simd.splat_f32s(2.0 * SCALE)))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Each<'a>(&'a mut [f32], fn(f64) -> f64, Which);

    #[derive(Clone, Copy)]
    enum Which {
        Exp,
        Activation(Activation),
    }

    /// The largest error, as a part of the value or of the argument, whichever is larger.
    impl WithSimd for Each<'_> {
        type Output = f64;
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> f64 {
            let arguments = self.0.to_vec();
            for vector in S::as_mut_simd_f32s(self.0).0 {
                *vector = match self.2 {
                    Which::Exp => exp(simd, *vector),
                    Which::Activation(activation) => activation.apply(simd, *vector),
                };
            }
            let error = |(x, y): (&f32, &f32)| {
                let expected = (self.1)(f64::from(*x));
                let scale = match self.2 {
                    Which::Exp => expected,
                    Which::Activation(_) => f64::from(*x).abs().max(1e-3),
                };
                (f64::from(*y) - expected).abs() / scale
            };
            arguments.iter().zip(self.0.iter()).map(error).fold(0.0, f64::max)
        }
    }

    fn gelu_in_double(x: f64) -> f64 {
        0.5 * x * (1.0 + libm::erf(x / std::f64::consts::SQRT_2))
    }

    fn gelu_tanh_in_double(x: f64) -> f64 {
        0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3))).tanh())
    }

    fn range(from: f32, to: f32) -> Vec<f32> {
        (0..1 << 16).map(|step| from + (to - from) * step as f32 / 65536.0).collect()
    }

    #[test]
    fn functions_are_as_near_as_they_say_and_the_same_everywhere() {
        type Case = (&'static str, Which, fn(f64) -> f64, f32, f32);
        let cases: [Case; 5] = [
            ("exp", Which::Exp, f64::exp, -87.0, 88.0),
            ("gelu", Which::Activation(Activation::Gelu), gelu_in_double, -8.0, 8.0),
            ("gelu, far", Which::Activation(Activation::Gelu), gelu_in_double, -1e4, 1e4),
            ("gelu_tanh", Which::Activation(Activation::GeluTanh), gelu_tanh_in_double, -50.0, 50.0),
            ("relu", Which::Activation(Activation::Relu), |x| x.max(0.0), -8.0, 8.0),
        ];
        for (name, which, expected, from, to) in cases {
            let mut values = Vec::new();
            for cpu in Cpu::all() {
                let mut numbers = range(from, to);
                let error = cpu.run(Each(&mut numbers, expected, which));
                assert!(error < 3e-7, "{name} on {cpu:?}: {error:e}");
                values.push(numbers);
            }
            assert!(values.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
            let error = Cpu::plain().run(Each(&mut range(from, to), expected, which));
            assert!(error < 1e-6, "{name} on a plain machine: {error:e}");
        }
    }

    #[test]
    fn what_is_far_below_is_almost_nothing() {
        for cpu in Cpu::all() {
            let mut numbers = vec![f32::NEG_INFINITY; 32];
            cpu.run(Each(&mut numbers, f64::exp, Which::Exp));
            assert!(numbers.iter().all(|number| (0.0..1e-37).contains(number)), "{numbers:?}");
        }
    }
}
