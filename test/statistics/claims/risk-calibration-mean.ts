import { calibrateRisk } from '../../../compute/risk/calibrate-risk.js';
import { mergeLabelSums, sumLabels } from '../../../compute/risk/label-sums.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import type { MarketProcess } from '../../support/processes/market-process.js';
import type { Candles } from '../../../compute/model/candles.js';
import type { IntervalClaim } from '../claim.js';

const sums = (candles: Candles) => sumLabels({ candles, leading: candles, isLeading: true });

const moderate = (of: ReturnType<typeof sums>) => calibrateRisk(of)!.sides[0].horizons[0].labels[1];

/** The mean over so many other series that its own error is small. */
const truthOf = ({ draw }: MarketProcess): number => {
  const many = Array.from({ length: 40 }, (_, n) =>
    sums(draw({ count: 9_000, interval: '1h', seed: 900_000_000 + n })[0]),
  );
  return moderate(mergeLabelSums(many)).meanPercent!;
};

/** The mean worst move within 24 hours after the label moderate, long. */
export const riskCalibrationMean: IntervalClaim = {
  name: 'risk-calibration: mean adverse move',
  says: 'interval',
  processes: [independentReturns, clusteredVolatility],
  count: 9_000,
  interval: '1h',
  quickSeries: 5,
  estimate([candles]) {
    const { lowPercent, highPercent } = moderate(sums(candles));
    return lowPercent === null ? null : { low: lowPercent, high: highPercent! };
  },
  truth: truthOf,
};
