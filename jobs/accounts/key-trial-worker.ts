import type { Redis } from 'ioredis';
import type { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { SentKeys } from '../../storage/accounts/sent-keys.js';
import type { Log } from '../../storage/process/log.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { Tracing } from '../../storage/process/tracing.js';
import { exchangeJobs } from '../definitions/index.js';
import type { ExchangeTools } from '../job.js';
import { JobWorker } from '../node/job-worker.js';

export interface KeyTrialWorkerOptions {
  exchanges: OpenExchanges;
  /** Holds the keys that gateways send. */
  redis: Redis;
  /** The connection of the queue, which waits while Redis does not answer. */
  queueRedis: Redis;
  /** The limit of all job results in Redis, including those of compute nodes. */
  resultBytes: number;
  log: Log;
  metrics?: Metrics | undefined;
  tracing?: Tracing | undefined;
}

/** How many trials run at a time. A trial waits for its exchange and needs hardly any CPU. */
const concurrentTrials = 8;

/** How long a stopping worker finishes its trials; the rest runs on another worker within the caller's time limit. */
const drainMs = 4_000;

/** Starts the worker of the queue `exchanges`, which tries API keys. Resolves when it takes jobs. */
export async function startKeyTrialWorker({
  exchanges,
  redis,
  queueRedis,
  log,
  ...rest
}: KeyTrialWorkerOptions): Promise<JobWorker<ExchangeTools>> {
  const tools = { exchanges, sentKeys: new SentKeys(redis, exchanges.known) };
  const worker = new JobWorker({
    ...rest,
    redis: queueRedis,
    pulsed: redis,
    jobs: exchangeJobs,
    tools: { log, toolsFor: () => tools, concurrencyOf: () => concurrentTrials },
    queues: ['exchanges'],
    drainMs,
  });
  await worker.ready();
  return worker;
}
