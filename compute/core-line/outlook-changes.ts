import type { Outlook } from './outlook.js';

/** A close where the result of the rule differs from the closes between it and the last one. */
export interface OutlookChange {
  close: number;
  outlook: Outlook;
}

/** The closes to try: the size of the first step, and closes that are always among them. */
interface Grid {
  step: number;
  kinks: readonly number[];
}

/** Steps are at least this share of the distance from the last close. */
const growth = 1 / 32;

/**
 * The last close, and every change of the outlook from there to `limit`, the nearest first. The close of a change is the
 * first double with the new outlook. A condition that changes and changes back between two closes of the grid is missed.
 */
export function changesTowards(
  limit: number,
  last: number,
  where: Grid,
  outlook: (close: number) => Outlook,
): OutlookChange[] {
  let from: OutlookChange = { close: last, outlook: outlook(last) };
  const changes = [from];
  for (const close of closesTowards(limit, last, where)) {
    const to: OutlookChange = { close, outlook: outlook(close) };
    while (from.outlook.found !== to.outlook.found) {
      from = changeBetween(from, to, outlook);
      changes.push(from);
    }
    from = to;
  }
  return changes;
}

/** The first double past `from` whose outlook differs, by bisection; the outlook of `to` differs too. */
function changeBetween(
  from: OutlookChange,
  to: OutlookChange,
  outlook: (close: number) => Outlook,
): OutlookChange {
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

/** The closes to try on the way from the last one to `limit`. */
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
