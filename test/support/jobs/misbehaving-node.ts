import type { AnyJob } from '../../../jobs/definitions/index.js';
import type { JobTools } from '../../../jobs/job.js';
import type { WorkerOptions } from '../../../jobs/node/job-worker.js';
import { openLog, type Log } from '../../../storage/process/log.js';
import { openMisbehavingPool } from './misbehaving-pool.js';
import { openTestNode, type TestNode } from './test-node.js';

export interface MisbehavingNodeOptions extends Pick<
  WorkerOptions<JobTools>,
  'drainMs' | 'metrics' | 'tracing'
> {
  threads?: number;
  log?: Log;
}

/** A compute node without candles and MongoDB, whose threads do what its jobs tell them. */
export async function openMisbehavingNode(
  redisUrl: string,
  jobs: readonly AnyJob[],
  { threads = 1, log = openLog({ LOG_LEVEL: 'silent' }, 'test'), ...rest }: MisbehavingNodeOptions = {},
): Promise<TestNode> {
  const threadPool = openMisbehavingPool({ threads });
  const pools = { interactive: threadPool.pool, background: threadPool.pool };
  const node = await openTestNode({
    ...rest,
    redisUrl,
    jobs,
    log,
    pools,
    tools: { storage: {}, candles: {} },
  });
  return {
    ...node,
    async close() {
      await node.close();
      await threadPool.close();
    },
  };
}
