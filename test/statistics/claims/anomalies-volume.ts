import { anomalies } from '../../../compute/market/anomalies.js';
import { pairsOf } from '../../support/candles/pairs.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import type { VerdictClaim } from '../claim.js';

/** A volume three deviations off is rare: of 8 candles one has it in 8 x 0.36 % = 2.9 % of the series. */
export const anomaliesVolume: VerdictClaim = {
  name: 'anomalies: unusual volume',
  says: 'falseAlarm',
  processes: [independentReturns, clusteredVolatility],
  count: 200,
  interval: '1h',
  quickSeries: 100,
  flags([candles]) {
    const params = { minZ: 3, withinCandles: 8, limit: 100 };
    const { rows } = anomalies.run({ pairs: pairsOf({ A: candles }), interval: '1h', params });
    return rows.some(({ unusual }) => unusual.includes('volume'));
  },
};
