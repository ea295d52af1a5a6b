import { answerForExchanges } from '../../../jobs/accounts/key-trial-worker.js';
import { KnownExchanges } from '../../../storage/exchanges/known-exchanges.js';
import { OpenExchanges } from '../../../storage/exchanges/open-exchanges.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { connected, failFast, openRedis, patient } from '../../../storage/servers/redis.js';
import type { Settings } from '../../../storage/process/settings.js';

export interface KeyTrials {
  /** How many keys it has in hand. */
  readonly running: number;
  close(): Promise<void>;
}

/** The part of a market worker that tries keys, known as a market worker, inside the test's process. */
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
  const worker = await answerForExchanges({ exchanges, redis, queueRedis, resultBytes: 2 ** 20, log });
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
