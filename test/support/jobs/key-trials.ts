import { startKeyTrialWorker } from '../../../jobs/accounts/key-trial-worker.js';
import { KnownExchanges } from '../../../storage/exchanges/known-exchanges.js';
import { OpenExchanges } from '../../../storage/exchanges/open-exchanges.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { connected, failFast, openRedis, patient } from '../../../storage/servers/redis.js';
import type { Settings } from '../../../storage/process/settings.js';

export interface KeyTrials {
  /** The number of keys that it tries now. */
  readonly running: number;
  close(): Promise<void>;
}

/** The part of a market worker that tries keys, in the test's process; it registers as a market worker. */
export async function openKeyTrials({
  settings,
  redisUrl,
  log = openLog({ LOG_LEVEL: 'silent' }, 'test'),
}: {
  settings: Settings;
  redisUrl: string;
  log?: Log;
}): Promise<KeyTrials> {
  const end = new AbortController();
  const redis = openRedis(redisUrl, failFast);
  const queueRedis = openRedis(redisUrl, patient);
  await Promise.all([connected(redis), connected(queueRedis)]);
  const known = new KnownExchanges(settings);
  const exchanges = new OpenExchanges({ settings, known, redis, signal: end.signal });
  const worker = await startKeyTrialWorker({ exchanges, redis, queueRedis, resultBytes: 2 ** 20, log });
  const node = announceNode(redis, 'market', () => ({ threads: null, busy: null, running: worker.running }), [
    'exchanges',
  ]);
  return {
    get running() {
      return worker.running;
    },
    async close() {
      await node.stop();
      await worker.close();
      end.abort();
      redis.disconnect();
      queueRedis.disconnect();
    },
  };
}
