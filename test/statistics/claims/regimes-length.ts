import { volatility } from '../../../compute/market/volatility.js';
import type { Candles } from '../../../compute/model/candles.js';
import type { MarketProcess } from '../../support/processes/market-process.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import { endsOf, type IntervalClaim } from '../claim.js';

const count = 4_000;

const stressed = (candles: Candles) =>
  volatility
    .run({ candles, interval: '1h', params: {} })
    .regime.shares.find(({ regime }) => regime === 'stressed')!.length;

/** The seeds of the series that the truth is read from, which no set of claims shares. */
const firstSeed = 900_000_000;

/** The mean over all spells of 100 other series. */
function meanLength({ draw }: MarketProcess): number {
  let [spells, candles] = [0, 0];
  for (let n = 0; n < 100; n++) {
    const length = stressed(draw({ count, interval: '1h', seed: firstSeed + n })[0]);
    spells += length.count;
    candles += length.count * (length.mean ?? 0);
  }
  return candles / spells;
}

/** How long volatility stays stressed. */
export const regimesLength: IntervalClaim = {
  name: 'volatility: length of a regime',
  says: 'interval',
  wide: 'a fifth of all candles is stressed by definition, so lengths vary less than independent ones',
  processes: usualMartingales,
  count,
  interval: '1h',
  quickSeries: 40,
  estimate([candles]) {
    const { low, high } = stressed(candles);
    return endsOf(low, high);
  },
  truth: meanLength,
};
