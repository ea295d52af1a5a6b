import type { NewSignal } from '../../../storage/signals/signals.js';
import type { SignalTerms } from '../../../storage/signals/partner-signal.js';

/** A long signal on BTC/USDT between 100 and 110 with two targets and a stop. */
export const signalTerms: SignalTerms = {
  version: 1,
  coin: 'BTC',
  quote: 'USDT',
  exchange: 'BINANCE',
  side: 'long',
  account: 'SPOT',
  leverage: 1,
  marginType: 'ISOLATED',
  entryMode: 'range',
  entries: [{ level: 'max', type: 'limit', price: '110', zoneEnd: '100', percent: '100' }],
  targets: ['120', '130'],
  stopLoss: '90',
  investPercent: '5',
  ttlMs: null,
  imageUrls: [],
  description: null,
};

/** A signal of a partner without an idempotency key. */
export const newSignal = (partnerId: string, more: Partial<NewSignal> = {}): NewSignal => ({
  partnerId,
  channelId: `channel of ${partnerId}`,
  terms: signalTerms,
  commands: [],
  idempotency: null,
  ...more,
});
