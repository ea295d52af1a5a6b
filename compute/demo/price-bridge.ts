/** Halvings of a step: it has `2 ** depth` parts. */
const depth = 7;
/** Parts of a step, between which the price moves linearly. */
export const bridgeParts = 2 ** depth;

/** The two ends of a step, and how its price moves between them. */
export interface BridgedStep {
  from: number;
  to: number;
  /** Standard deviation of the price's move over a whole step, in price units. */
  deviation: number;
  /** The prices stay within these, which contain both ends. */
  low: number;
  high: number;
  /** Identifies the step: the same seed gives the same prices. */
  seed: number;
}

/**
 * The price at a share (0 to 1) of a step: a Brownian bridge by midpoint displacement (Fournier, Fussell and Carpenter, 1982),
 * folded back where it would leave the range. It uses sums, products and square roots only: every machine makes the same prices.
 */
export function bridgedPrice(step: BridgedStep, share: number): number {
  const at = share * bridgeParts;
  const part = Math.min(Math.floor(at), bridgeParts - 1);
  const from = pointOf(step, part);
  return from + (pointOf(step, part + 1) - from) * (at - part);
}

/** The price between two parts, from 0 to `bridgeParts`. */
function pointOf({ from, to, deviation, low, high, seed }: BridgedStep, index: number): number {
  let [left, right] = [0, bridgeParts];
  let [leftPrice, rightPrice] = [from, to];
  // Of a bridge of variance 1, the midpoint has the variance 1/4, and each half is a bridge of variance 1/2.
  let spread = deviation / 2;
  while (index !== left && index !== right) {
    const middle = (left + right) / 2;
    const price = folded((leftPrice + rightPrice) / 2 + spread * bell(seed, middle), low, high);
    if (index < middle) [right, rightPrice] = [middle, price];
    else [left, leftPrice] = [middle, price];
    spread *= Math.SQRT1_2;
  }
  return index === left ? leftPrice : rightPrice;
}

/** The price mirrored at the limit that it has passed; a limit itself where the mirrored price is out of range too. */
function folded(price: number, low: number, high: number): number {
  const inside = price > high ? 2 * high - price : price < low ? 2 * low - price : price;
  return Math.min(high, Math.max(low, inside));
}

/** About normally distributed with mean 0 and deviation 1: the centred sum of four bytes of a hash (murmur3's finalizer). */
function bell(seed: number, index: number): number {
  let hash = Math.imul(seed ^ Math.imul(index, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  const sum = (hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24);
  return (sum - 510) / 147.8;
}
