/** The double next to a positive one, on the side of `towards`. */
export function adjoiningDouble(value: number, towards: number): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0] += towards > value ? 1n : -1n;
  return new Float64Array(bits.buffer)[0];
}
