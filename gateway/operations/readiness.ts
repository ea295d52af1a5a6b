import Joi from 'joi';
import { listNodes, countWorkers, type SeenNode } from '../../storage/cluster/nodes.js';
import { computeQueues } from '../../storage/cluster/queues.js';
import { checkWritable } from '../../storage/servers/redis.js';
import type { Deps } from '../context.js';
import { count, flag, list, oneOf } from './output-fields.js';

export interface Readiness {
  ready: boolean;
  /** Parts that are away: `redis`, `mongodb`, `compute`; and `gateway` where this one is about to end. */
  missing: string[];
  computeNodes: number;
  threads: number;
  /** Queues that no compute node takes from: what is asked there is not answered until one does. */
  queuesWithoutNode: string[];
}

export const livenessOutput = Joi.object<{ alive: boolean }, true>({
  alive: flag('that it answers').valid(true),
});

export const readinessOutput = Joi.object<Readiness, true>({
  ready: flag('whether nothing is missing'),
  missing: list(
    oneOf(['redis', 'mongodb', 'compute', 'gateway'], 'name of a part'),
    'parts that are away; `gateway` where this one is about to end',
  ),
  computeNodes: count('compute nodes alive'),
  threads: count(
    'threads of all nodes: those for short work, or those for long work where a node has more of these',
  ),
  queuesWithoutNode: list(
    oneOf(computeQueues, 'name of a queue'),
    'queues that no compute node takes from: what is asked there ends at its time limit',
  ),
});

/**
 * Whether the service can work now: Redis takes writes, MongoDB answers, and a compute node is alive. A queue without a node
 * is told and does not take the gateway out of service: all others are answered.
 */
export async function readiness({
  redis,
  storage,
  ending,
}: Pick<Deps, 'redis' | 'storage' | 'ending'>): Promise<Readiness> {
  const [nodes, writes, mongodb] = await Promise.allSettled([
    listNodes(redis),
    checkWritable(redis),
    storage.ping(),
  ]);
  const known = nodes.status === 'fulfilled' ? nodes.value : [];
  const alive = known.filter(({ role, lost }) => role === 'compute' && !lost);
  const missing = [
    ...([nodes, writes].some(({ status }) => status === 'rejected') ? ['redis'] : []),
    ...(mongodb.status === 'rejected' ? ['mongodb'] : []),
    ...(alive.length === 0 ? ['compute'] : []),
    ...(ending.aborted ? ['gateway'] : []),
  ];
  const threads = alive.reduce((sum, node) => sum + threadsOf(node), 0);
  const queuesWithoutNode = computeQueues.filter((name) => countWorkers(name, alive) === 0);
  return { ready: missing.length === 0, missing, computeNodes: alive.length, threads, queuesWithoutNode };
}

/** Those for short work, and as many for long work; a node may have only one of the two. */
const threadsOf = ({ threads }: SeenNode): number =>
  threads === null ? 0 : Math.max(threads.interactive, threads.background);
