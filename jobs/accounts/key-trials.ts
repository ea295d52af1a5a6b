import type { Redis } from 'ioredis';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { SentKeys } from '../../storage/accounts/sent-keys.js';
import type { Log } from '../../storage/process/log.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { Tracing } from '../../storage/process/tracing.js';
import { exchangeJobs } from '../definitions/index.js';
import type { ExchangeTools } from '../job.js';
import { JobWorker } from '../node/job-worker.js';

export interface KeyTrialsOptions {
  exchanges: OpenExchanges;
  /** Holds the keys that were sent. */
  redis: Redis;
  /** A patient connection, for the queue. */
  queueRedis: Redis;
  /** Results are kept in Redis up to so many bytes, those of compute nodes included. */
  resultBytes: number;
  log: Log;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

/** The jobs wait for exchanges and compute next to nothing. */
const concurrency = 8;

/** Another worker takes over what is not done by then, early enough for the request. */
const drainMs = 4_000;

/** Starts a worker for the jobs that ask an exchange; resolves when it takes jobs. */
export async function answerForExchanges({
  exchanges,
  redis,
  queueRedis,
  log,
  ...rest
}: KeyTrialsOptions): Promise<JobWorker<ExchangeTools>> {
  const tools = { exchanges, sentKeys: new SentKeys(redis, exchanges.known) };
  const worker = new JobWorker({
    ...rest,
    redis: queueRedis,
    jobs: exchangeJobs,
    tools: { log, toolsFor: () => tools, concurrencyOf: () => concurrency },
    queues: ['exchanges'],
    drainMs,
  });
  await worker.ready();
  return worker;
}
