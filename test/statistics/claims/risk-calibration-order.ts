import { calibrateRisk } from '../../../compute/risk/calibrate-risk.js';
import { sumLabels } from '../../../compute/risk/label-sums.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import type { VerdictClaim } from '../claim.js';

/** Where price has no memory, no label foretells a worse move: at neither side and time ahead. */
export const riskCalibrationOrder: VerdictClaim = {
  name: 'risk-calibration: order of the labels',
  says: 'falseAlarm',
  processes: [independentReturns, jumps],
  count: 9_000,
  interval: '1h',
  quickSeries: 5,
  flags([candles]) {
    const found = calibrateRisk(sumLabels({ candles, leading: candles, isLeading: true }));
    return found && found.sides.some(({ horizons }) => horizons.some(({ isSignificant }) => isSignificant));
  },
};
