/** Two-sided 95 % point of the standard normal distribution. */
export const Z_95 = 1.959963984540054;

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Logarithm of the gamma function for x >= 0.5 (Lanczos approximation, g = 7). */
function logGamma(x: number): number {
  const shifted = x - 1;
  const base = shifted + 7.5;
  const series = LANCZOS.reduce((sum, factor, at) => sum + factor / (shifted + at + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(series);
}

const TINY = 1e-300;
const MOST_TERMS = 10_000;

/** Continued fraction of the incomplete beta function (modified Lentz method, Abramowitz and Stegun 26.5.8). */
function betaFraction(x: number, a: number, b: number): number {
  const kept = (value: number) => (Math.abs(value) < TINY ? TINY : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const factor of [even, odd]) {
      d = 1 / kept(1 + factor * d);
      c = kept(1 + factor / c);
      change = d * c;
      fraction *= change;
    }
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return fraction;
}

/** Regularized incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/**
 * The t for which a fraction of 95 % of Student's distribution lies between -t and t.
 * @param degreesOfFreedom 1 or more
 */
export function studentT95(degreesOfFreedom: number): number {
  const outside = (t: number) =>
    incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5);
  let [low, high] = [1, 13];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (outside(middle) > 0.05) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
