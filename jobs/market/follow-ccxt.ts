import { CcxtSource } from '../../storage/exchanges/ccxt-source.js';
import { ExchangeFollower } from './exchange-follower.js';
import { readPairChoice } from '../../compute/model/market-pair.js';
import { defaultSyncLimits } from './sync-limits.js';
import type { Redis } from 'ioredis';
import type { Storage } from '../../storage/index.js';
import type { RoleContext, RunningRole } from '../../storage/process/role.js';

/** Fetches the history of the chosen pairs of an exchange, each hour when it closes, and prices every few seconds. */
export async function followCcxt({
  settings,
  storage,
  redis,
  log,
  report,
}: MarketContext): Promise<RunningMarket> {
  const end = new AbortController();
  const source = await CcxtSource.open({
    redis,
    id: settings.MARKET,
    url: settings.MARKET_URL,
    budgetPerMinute: settings.MARKET_BUDGET_PER_MINUTE,
    signal: end.signal,
  });
  const follower = new ExchangeFollower({
    storage,
    redis,
    source,
    choice: readPairChoice(settings.MARKET_PAIRS),
    limits: { ...defaultSyncLimits, historyDays: settings.MARKET_HISTORY_DAYS },
    tickMs: settings.MARKET_TICK_SECONDS * 1000,
    log,
    report,
    signal: end.signal,
  });
  await follower.start();
  return {
    check: () => follower.check(),
    async close() {
      end.abort();
      await follower.ended();
    },
  };
}

/** What the followers of a market and of accounts get from their market worker. */
export interface MarketContext extends Pick<RoleContext, 'settings' | 'log' | 'report'> {
  storage: Storage;
  redis: Redis;
}

/** A market that is being kept up to date. */
export interface RunningMarket extends RunningRole {
  /** Checks the candles of every pair, starts the repair of missing ones, and returns the state as text. */
  check(): Promise<string>;
}
