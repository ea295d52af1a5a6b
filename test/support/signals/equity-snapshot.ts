import type { EquitySnapshot } from '../../../storage/ledger/equity.js';

/** A paper account of 10,000 USDT at the start of 5 January 2026. */
export const equitySnapshot = (more: Partial<EquitySnapshot> = {}): EquitySnapshot => ({
  userId: 'user',
  exchange: 'PAPER',
  day: '2026-01-05',
  at: new Date(Date.UTC(2026, 0, 5)),
  value: '10000',
  assets: [{ asset: 'USDT', quantity: '10000' }],
  flow: '0',
  unpriced: [],
  benchmark: '50000',
  ...more,
});
