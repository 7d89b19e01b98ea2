// Random numbers from a seed, forked by name, so that the draws of one part never affect those of another.

/** Random numbers from a seed: the same seed gives the same numbers. */
export interface Rng {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, below). */
  below(below: number): number;
  /** Standard normal (Box and Muller, 1958). */
  normal(): number;
  /** Exponential with the given mean. */
  exponential(mean: number): number;
  /** An independent stream: it depends on the seed and the name only, not on what was drawn before. */
  fork(name: string): Rng;
}

/** sfc32 (Doty-Humphrey, PractRand) seeded by the 128 bits that `hash128` derives from the seed text. */
export function rngFrom(seed: string): Rng {
  let [a, b, c, counter] = hash128(seed);
  const next32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) next32();
  const next = (): number => next32() / 2 ** 32;
  return {
    next,
    below: (below) => Math.floor(next() * below),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    exponential: (mean) => -mean * Math.log(1 - next()),
    fork: (name) => rngFrom(`${seed}/${name}`),
  };
}

/** Four 32-bit words from a text: FNV-1a with four offsets, each finished by MurmurHash3's mixer. Not for secrets. */
function hash128(text: string): [number, number, number, number] {
  const word = (offset: number): number => {
    let hash = 0x811c9dc5 ^ offset;
    for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return hash ^ (hash >>> 16);
  };
  return [word(0), word(0x9e3779b9), word(0x3c6ef372), word(0xdaa66d2b)];
}
