import type { DcaLadderParams } from '../../../compute/risk/dca-ladder.js';
import type { PositionParams } from '../../../compute/risk/position-size.js';

/** A usual order to be sized. */
export const position: PositionParams & { asset: null; exchange: null; tradeMarket: string } = {
  asset: null,
  exchange: null,
  tradeMarket: 'USDT',
  accountSize: '1000',
  riskPercent: '1',
  entry: '100',
  stop: '90',
  side: 'long',
  leverage: '3',
  marginType: 'CROSS',
  step: '0.001',
  tick: null,
  minNotional: null,
  feePercent: '0.1',
  maintenanceMarginPercent: '0.5',
};

/** A usual ladder of buys. */
export const ladder: DcaLadderParams = {
  firstPrice: '100',
  firstAmount: '50',
  levels: [{ buyPrice: '90', multiplier: '2' }],
  stop: '80',
  feePercent: '0.1',
  step: '0.001',
};
