import { openStorage, type Storage } from '../../../storage/index.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import { CcxtSource } from '../../../storage/exchanges/ccxt-source.js';
import type { GuardedExchangeOptions } from '../../../storage/exchanges/guarded-exchange.js';
import { ExchangeFollower } from '../../../jobs/market/exchange-follower.js';
import { readPairChoice } from '../../../compute/model/market-pair.js';
import type { SyncLimits } from '../../../jobs/market/sync-limits.js';
import { connected, failFast, openRedis, type ConnectionKind } from '../../../storage/servers/redis.js';
import type { FakeExchange } from '../fake-exchange/fake-exchange.js';

export interface WorkerOptions {
  exchange: FakeExchange;
  redisUrl: string;
  mongodbUrl: string;
  pairs?: string;
  limits?: Partial<SyncLimits>;
  source?: Partial<GuardedExchangeOptions>;
  tickMs?: number;
  /** Of the connection to Redis. */
  options?: ConnectionKind;
}

/** What one market worker keeps open, its pauses short; the clock is the exchange's. */
export interface MarketWorker {
  storage: Storage;
  source: CcxtSource;
  follower: ExchangeFollower;
  reports: string[];
  /** What it warned of, with the words of the error. */
  warnings: string[];
  close(): Promise<void>;
}

/** A market worker inside the test's process; it is to be started. */
export async function openMarketWorker(options: WorkerOptions): Promise<MarketWorker> {
  const { exchange, redisUrl, mongodbUrl, pairs = 'BTC/USDT', tickMs = 600_000 } = options;
  const storage = openStorage(mongodbUrl, { timeoutMs: 20_000 });
  const redis = openRedis(redisUrl, options.options ?? failFast);
  await connected(redis);
  const end = new AbortController();
  const source = await CcxtSource.open({
    redis,
    id: 'binance',
    url: exchange.url,
    budgetPerMinute: 1e6,
    signal: end.signal,
    now: exchange.now,
    circuit: { failures: 3, pauseMs: 20, longestPauseMs: 40, trialMs: 1_000 },
    timeoutMs: 30_000,
    ...options.source,
  });
  const reports: string[] = [];
  const warnings: string[] = [];
  const follower = new ExchangeFollower({
    storage,
    redis,
    source,
    choice: readPairChoice(pairs),
    limits: {
      historyDays: 30,
      retryMs: 10,
      longestRetryMs: 40,
      gaps: { pauseMs: 20 },
      pagesPerVisit: 10,
      ...options.limits,
    },
    tickMs,
    pollMs: 5,
    log: listeningLog(warnings),
    report: (line) => reports.push(line),
    signal: end.signal,
  });
  return {
    storage,
    source,
    follower,
    reports,
    warnings,
    async close() {
      end.abort();
      await follower.ended();
      redis.disconnect();
      await storage.close();
    },
  };
}

function listeningLog(warnings: string[]): Log {
  const log = openLog({ LOG_LEVEL: 'silent' }, 'test');
  log.warn = ((details: { err?: Error }, what: string) =>
    warnings.push(details.err ? `${what}: ${details.err.message}` : what)) as unknown as Log['warn'];
  return log;
}
