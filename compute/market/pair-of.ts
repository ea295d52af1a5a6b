import { AppError } from '../model/errors.js';
import type { PairCandles } from '../task.js';

/** The candles of a chosen asset. Throws `invalid_input` with the name of the parameter where there are none. */
export function pairOf(asset: string, pairs: readonly PairCandles[], param: string): PairCandles {
  const found = pairs.find((pair) => pair.asset === asset);
  if (found) return found;
  throw new AppError('invalid_input', `there are no candles of "${asset}"`, {
    details: { field: param, asset },
  });
}
