/** A source of reproducible pseudo-random numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** The next whole number from 0 to 2^32 - 1. */
  uint32: () => number;
  /** The next number in [0, 1). */
  unit: () => number;
}

/** The FNV-1a hash of a text: a 32-bit seed. */
export function seedFrom(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Chris Doty-Humphrey's sfc32 (PractRand), seeded with one 32-bit number. The first 15 results are discarded. */
export function createRandom(seed: number): Random {
  let a = 0;
  let b = seed | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const uint32 = () => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return result >>> 0;
  };
  for (let round = 0; round < 15; round++) uint32();
  return { uint32, unit: () => uint32() / 4294967296 };
}
