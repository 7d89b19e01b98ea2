// The normal and Student's t distribution: distribution functions and their inverses, to about 1e-14.

const SQRT2 = Math.SQRT2;
const SQRT_2PI = Math.sqrt(2 * Math.PI);

/** The complementary error function, 1 − erf(x): a series for |x| < 2.5, a continued fraction beyond. */
function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x < 2.5) return 1 - erfSeries(x);
  return (Math.exp(-x * x) / Math.sqrt(Math.PI)) * erfcFraction(x);
}

function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
    term *= (-x * x * (2 * n - 1)) / (n * (2 * n + 1));
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), computed from the 200th term backwards. */
function erfcFraction(x: number): number {
  let value = 0;
  for (let n = 200; n > 0; n--) value = n / 2 / (x + value);
  return 1 / (x + value);
}

/** Φ: the probability that a standard normal variable is at most x. */
export const normalCdf = (x: number): number => erfc(-x / SQRT2) / 2;

/** φ: the density of the standard normal distribution. */
export const normalDensity = (x: number): number => Math.exp((-x * x) / 2) / SQRT_2PI;

/** Coefficients of Wichura (1988), algorithm AS 241, PPND16: rational approximations of Φ⁻¹. Numerator, then denominator, each from the highest power. */
const CENTRAL = [
  [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513, 133.14166789178438,
    3.3871328727963665,
  ],
  [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579, 42.31333070160091,
    1,
  ],
] as const;
const MIDDLE = [
  [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045, 5.769497221460691,
    4.630337846156546, 1.4234371107496835,
  ],
  [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851, 1.6763848301838038,
    2.053191626637759, 1,
  ],
] as const;
const TAIL = [
  [
    2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487, 1.7848265399172913,
    5.463784911164114, 6.657904643501103,
  ],
  [
    2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133, 0.014875361290850615, 0.1369298809227358,
    0.599832206555888, 1,
  ],
] as const;

type Ratio = readonly [readonly number[], readonly number[]];
const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, coefficient) => sum * x + coefficient, 0);
const ratio = ([numerator, denominator]: Ratio, x: number): number => polynomial(numerator, x) / polynomial(denominator, x);

/** Φ⁻¹ for a probability between 0 and 1, by AS 241 with one Newton step; ±Infinity at the ends. */
export function normalQuantile(probability: number): number {
  if (!(probability > 0)) return -Infinity;
  if (!(probability < 1)) return Infinity;
  const guess = wichura(probability);
  const density = normalDensity(guess);
  return density === 0 ? guess : guess - (normalCdf(guess) - probability) / density;
}

function wichura(probability: number): number {
  const fromHalf = probability - 0.5;
  if (Math.abs(fromHalf) <= 0.425) return fromHalf * ratio(CENTRAL, 0.180625 - fromHalf * fromHalf);
  const root = Math.sqrt(-Math.log(Math.min(probability, 1 - probability)));
  const size = root <= 5 ? ratio(MIDDLE, root - 1.6) : ratio(TAIL, root - 5);
  return fromHalf < 0 ? -size : size;
}

/** The probability that Student's t with `freedom` degrees is at most x. */
export function studentCdf(x: number, freedom: number): number {
  const tail = incompleteBeta(freedom / (freedom + x * x), { a: freedom / 2, b: 0.5 }) / 2;
  return x > 0 ? 1 - tail : tail;
}

/** The inverse of `studentCdf`, by bisection. */
export function studentQuantile(probability: number, freedom: number): number {
  let [low, high] = [-1, 1];
  while (studentCdf(low, freedom) > probability) low *= 2;
  while (studentCdf(high, freedom) < probability) high *= 2;
  for (let step = 0; step < 200 && high - low > 1e-15 * Math.max(1, Math.abs(low)); step++) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Lanczos, g = 7, nine coefficients. */
function logGamma(x: number): number {
  const series = LANCZOS.reduce((sum, coefficient, index) => sum + (index === 0 ? coefficient : coefficient / (x - 1 + index)), 0);
  const base = x + 6.5;
  return Math.log(SQRT_2PI * series) + (x - 0.5) * Math.log(base) - base;
}
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 0.000009984369578019572, 1.5056327351493116e-7,
];

/** The regularised incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(x: number, { a, b }: { a: number; b: number }): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, { a: b, b: a });
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  let [c, d] = [1, 1 / atLeastTiny(1 - ((a + b) * x) / (a + 1))];
  let fraction = d;
  for (let m = 1; m < 1_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let change = 1;
    for (const step of [even, odd]) {
      d = 1 / atLeastTiny(1 + step * d);
      c = atLeastTiny(1 + step / c);
      change = d * c;
      fraction *= change;
    }
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return front * fraction;
}

const TINY = 1e-300;
const atLeastTiny = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
