import type { Outlook } from './outlook.js';

/** A close, and what the rule makes of it, other than of the closes between it and the last one. */
export interface Turn {
  close: number;
  outlook: Outlook;
}

/** Where to look: how far apart to begin with, and at which closes in any case. */
interface Grid {
  step: number;
  kinks: readonly number[];
}

/** From a certain distance on the step is this share of it. */
const growth = 1 / 32;

/**
 * The last close, and every turn from there to `limit`, the nearest first, each the first double that is past it. Of
 * two turns of the same condition between two closes of the grid neither is seen.
 */
export function turnsTowards(
  limit: number,
  last: number,
  where: Grid,
  outlook: (close: number) => Outlook,
): Turn[] {
  let from: Turn = { close: last, outlook: outlook(last) };
  const turns = [from];
  for (const close of closesTowards(limit, last, where)) {
    const to: Turn = { close, outlook: outlook(close) };
    while (from.outlook.found !== to.outlook.found) {
      from = turnBetween(from, to, outlook);
      turns.push(from);
    }
    from = to;
  }
  return turns;
}

/** The first close past `from`, to the double, of which the rule finds something else; `to` is one. */
function turnBetween(from: Turn, to: Turn, outlook: (close: number) => Outlook): Turn {
  let same = from.close;
  let other = to;
  for (;;) {
    const close = same + (other.close - same) / 2;
    if (close === same || close === other.close) return other;
    const middle = outlook(close);
    if (middle.found === from.outlook.found) same = close;
    else other = { close, outlook: middle };
  }
}

/** The closes to look at on the way from the last one to `limit`. */
function closesTowards(limit: number, last: number, { step, kinks }: Grid): Float64Array {
  const side = Math.sign(limit - last);
  const reach = Math.abs(limit - last);
  const closes = kinks.filter((close) => (close - last) * side > 0 && (limit - close) * side > 0);
  for (let distance = step; distance < reach; distance += Math.max(step, distance * growth))
    closes.push(last + side * distance);
  closes.push(limit);
  const sorted = Float64Array.from(closes).sort();
  return side > 0 ? sorted : sorted.reverse();
}
