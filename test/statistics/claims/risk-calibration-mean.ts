import { calibrateRisk } from '../../../compute/risk/calibrate-risk.js';
import { sumLabels } from '../../../compute/risk/label-sums.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import type { Candles } from '../../../compute/model/candles.js';
import type { IntervalClaim } from '../claim.js';

const sums = (candles: Candles) => sumLabels({ candles, leading: candles, isLeading: true });

const moderate = (of: ReturnType<typeof sums>) => calibrateRisk(of)!.sides[0].horizons[0].labels[1];

/** The means over 150 other series of each process, merged: seeds 900,000,000 to 900,000,149. */
const means: Readonly<Record<string, number>> = { independent: -2.3428340168, clustered: -2.3084396702 };

/** The mean worst move within 24 hours after the label moderate, long. */
export const riskCalibrationMean: IntervalClaim = {
  name: 'risk-calibration: mean adverse move',
  says: 'interval',
  processes: [independentReturns, clusteredVolatility],
  count: 9_000,
  interval: '1h',
  quickSeries: 4,
  estimate([candles]) {
    const { lowPercent, highPercent } = moderate(sums(candles));
    return lowPercent === null ? null : { low: lowPercent, high: highPercent! };
  },
  truth: ({ name }) => means[name],
};
