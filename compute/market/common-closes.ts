import { AppError } from '../model/errors.js';
import type { PairCandles } from '../task.js';
import { alignCloses, type AlignedCloses } from './align.js';

/** The last `most` common closes of the pairs. Throws `not_enough_history` with fewer than `needed`, naming the pair with the fewest candles. */
export function commonCloses(pairs: readonly PairCandles[], most: number, needed: number): AlignedCloses {
  const aligned = alignCloses(
    pairs.map(({ candles }) => candles),
    most,
  );
  const found = aligned.time.length;
  if (found >= needed) return aligned;
  const [{ asset }] = [...pairs].sort((a, b) => a.candles.time.length - b.candles.time.length);
  const assets = pairs.map((pair) => pair.asset).join(', ');
  const message = `expected ${needed} common candles of ${assets}, found ${found}; "${asset}" has the fewest candles`;
  throw new AppError('not_enough_history', message, { details: { needed, found, asset } });
}
