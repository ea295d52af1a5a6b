import { readLastPrice } from '../../storage/exchanges/read-pair-terms.js';
import { defineJob, type ExchangeTools } from '../job.js';
import { tradedPairPayload } from './exchange-rules.js';

/** Signals that come at the same time share an answer. */
const keptMs = 2_000;

/** Reads the last price of a pair at an exchange; null where it tells none. */
export const lastPriceJob = defineJob({
  name: 'last-price',
  queue: 'exchanges',
  timeoutMs: 10_000,
  payload: tradedPairPayload,
  keepMs: () => keptMs,
  run: ({ exchange, base, quote, account }, { exchanges }: ExchangeTools): Promise<number | null> =>
    readLastPrice(exchanges, exchange, { base, quote }, account),
});
