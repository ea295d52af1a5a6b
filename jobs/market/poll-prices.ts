import type { Redis } from 'ioredis';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import { Prices } from '../../storage/candles/prices.js';
import type { MarketDataSource } from '../../storage/exchanges/market-data-source.js';
import type { ThrottledLog } from '../../storage/process/throttled-log.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';

export interface PollPricesOptions {
  source: MarketDataSource;
  redis: Redis;
  /** Time between two requests. */
  tickMs: number;
  /** The pairs whose prices are requested. */
  pairs: () => readonly PairSymbols[];
  log: ThrottledLog;
  signal: AbortSignal;
}

/**
 * Requests the prices of all pairs every `tickMs` and stores them, until the signal is aborted. A key in Redis lets only one
 * process do so in each interval. An error is logged; the next interval tries again.
 */
export async function pollPrices({
  source,
  redis,
  tickMs,
  pairs,
  log,
  signal,
}: PollPricesOptions): Promise<void> {
  const prices = new Prices(redis);
  const turn = [`tidemark:prices-turn:${source.id}`, '1', 'PX', Math.ceil(tickMs * 0.9), 'NX'] as const;
  do {
    try {
      if (pairs().length > 0 && (await redis.set(...turn)))
        await prices.put(source.id, await source.ticks(pairs()));
    } catch (error) {
      log.warn('prices not updated', error);
    }
  } while (await pauseUnlessAborted(tickMs, signal));
}
