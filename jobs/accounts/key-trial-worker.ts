import type { Redis } from 'ioredis';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { SentKeys } from '../../storage/accounts/sent-keys.js';
import type { Log } from '../../storage/process/log.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { Tracing } from '../../storage/process/tracing.js';
import { exchangeJobs } from '../definitions/index.js';
import type { ExchangeTools } from '../job.js';
import { JobWorker } from '../node/worker.js';

export interface KeyTrialsOptions {
  exchanges: OpenExchanges;
  /** For the keys that were sent. */
  redis: Redis;
  /** A patient connection, for the queue. */
  queueRedis: Redis;
  /** Results are kept in Redis up to so many bytes, those of compute nodes included. */
  resultBytes: number;
  log: Log;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

/** They wait for exchanges and compute next to nothing. */
const atOnce = 8;

/** What is not done by then another worker does, in time for whoever waits. */
const drainMs = 4_000;

/** Takes the questions that only who speaks with exchanges can answer; resolves when it does. */
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
    tools: { log, toolsFor: () => tools, atOnce: () => atOnce },
    queues: ['exchanges'],
    drainMs,
  });
  await worker.ready();
  return worker;
}
