//! The distributions that p-values and intervals come from.
//!
//! Logarithms and the like are taken from `libm`, here and in the whole crate, since those of the standard library
//! may differ in their last bits from one machine to the next.

use std::f64::consts::SQRT_2;

/// The share of a standard normal distribution below a value.
pub(crate) fn normal_below(value: f64) -> f64 {
    0.5 * libm::erfc(-value / SQRT_2)
}

/// The value below which a share of a standard normal distribution lies.
pub(crate) fn normal_quantile(share: f64) -> f64 {
    if share <= 0.0 {
        return f64::NEG_INFINITY;
    }
    if share >= 1.0 {
        return f64::INFINITY;
    }
    if share > 0.5 {
        return -normal_quantile(1.0 - share);
    }
    // Newton's steps on the logarithm of the share, which is concave: from the left of the root they never overshoot
    // it.
    let target = libm::log(share);
    let mut value = -(-2.0 * target).sqrt() - 1.0;
    for _ in 0..100 {
        let below = normal_below(value);
        let density = libm::exp(-0.5 * value * value) / (2.0 * std::f64::consts::PI).sqrt();
        let step = (target - libm::log(below)) * below / density;
        value += step;
        if step.abs() <= 1e-15 * value.abs().max(1.0) {
            break;
        }
    }
    value
}

/// How likely a coefficient of correlation at least this far from 0 is, to either side, among so many normal and
/// independent pairs. It is Student's t with two degrees of freedom fewer than pairs.
pub(crate) fn correlation_beyond(coefficient: f64, pairs: usize) -> f64 {
    let unexplained = (1.0 - coefficient) * (1.0 + coefficient);
    incomplete_beta((pairs - 2) as f64 / 2.0, 0.5, unexplained)
}

/// The regularised incomplete beta function.
pub(crate) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The continued fraction converges quickly on this side only; the other side is its mirror image.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x);
    libm::exp(front) * beta_fraction(a, b, x) / a
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..10_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for part in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + part * d);
            c = away_from_zero(1.0 + part / c);
            fraction *= c * d;
        }
        if (fraction - before).abs() <= 1e-16 * fraction.abs() {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() <= 1e-10 * wanted.abs(), "{found} is not {wanted}");
    }

    #[test]
    fn normal_shares_and_quantiles_are_scipys() {
        // scipy.stats.norm.cdf, scipy.stats.norm.ppf (1.17.1)
        close(normal_below(-8.0), 6.22096057427174e-16);
        close(normal_below(-1.959963984540054), 0.025);
        close(normal_below(-0.3), 0.3820885778110474);
        close(normal_below(0.0), 0.5);
        close(normal_below(0.5), 0.6914624612740131);
        close(normal_below(1.0), 0.8413447460685429);
        close(normal_below(3.0), 0.9986501019683699);
        close(normal_quantile(1e-10), -6.361340902404056);
        close(normal_quantile(0.001), -3.090232306167813);
        close(normal_quantile(0.025), -1.9599639845400545);
        close(normal_quantile(0.3), -0.5244005127080409);
        assert!(normal_quantile(0.5).abs() < 1e-12);
        close(normal_quantile(0.84), 0.994457883209753);
        close(normal_quantile(0.975), 1.959963984540054);
    }

    #[test]
    fn quantiles_invert_shares_far_into_the_tails() {
        for exponent in 1..300 {
            let share = 10_f64.powi(-exponent);
            close(normal_below(normal_quantile(share)) / share, 1.0);
        }
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
    }

    #[test]
    fn the_incomplete_beta_function_is_scipys() {
        // scipy.special.betainc(a, b, x) (1.17.1)
        close(incomplete_beta(0.5, 0.5, 0.3), 0.36901011956554536);
        close(incomplete_beta(1.0, 0.5, 0.99), 0.9);
        close(incomplete_beta(49.0, 0.5, 0.9), 0.001349729965389985);
        close(incomplete_beta(4999.0, 0.5, 0.999), 0.0015632768107569312);
        close(incomplete_beta(4999.0, 0.5, 0.9), 4.569696249945571e-231);
        close(incomplete_beta(2.5, 7.0, 0.2), 0.36749651990402316);
        close(incomplete_beta(2.5, 7.0, 0.8), 0.9998291744689191);
    }
}
