import { listNodes, countWorkers } from '../../storage/cluster/nodes.js';
import { computeQueues } from '../../storage/cluster/queues.js';
import { isEmbeddedFull } from '../../storage/embedded/full-disk.js';
import { shareFor } from '../../storage/process/shared-calls.js';
import { checkWritable, isDiskFull } from '../../storage/servers/redis.js';
import type { Deps } from '../context.js';
import { fillWords } from './analysis/series-input.js';
import { count, flag, list, oneOf, text, type ValueOf, answerOf } from './output-fields.js';

export type ReadinessOutput = ValueOf<typeof readinessOutput>;

export const livenessOutput = answerOf({
  alive: flag('always true').valid(true),
});

export const readinessOutput = answerOf({
  ready: flag('whether all parts are available'),
  missing: list(
    oneOf(['redis', 'mongodb', 'compute', 'disk', 'gateway'], 'name of a part'),
    'unavailable parts; `disk` while that of a server is full, so that nothing is stored; `gateway` while this gateway shuts down',
  ),
  computeNodes: count('live compute nodes'),
  threads: count(
    'threads of all nodes; of each node the larger of its two pools, for short and for long work',
  ),
  redisAway: list(
    count('place in REDIS_URL, from 2'),
    'of several Redis those that do not answer, but the first: requests that fall on them are refused with 503, the others go on',
  ),
  queuesWithoutNode: list(
    oneOf(computeQueues, 'name of a queue'),
    'queues without a compute node: their requests end at their time limit',
  ),
  market: text(
    'history of the market: `filled` or `filling` with the pairs that are done and all pairs, `imported`, `waiting for a market worker`, or `unknown`',
  ),
});

/** One check serves all requests within this time. */
const sharedMs = 500;

/**
 * Tells whether the service can work now: Redis accepts writes, MongoDB answers, and a compute node is alive. A queue without
 * a compute node is listed but does not make the gateway unready, because requests of other queues are still answered. For the
 * same reason a market that is still filling is reported but does not make it unready: accounts, lists and all stored pairs are
 * served meanwhile, and one pair that its exchange never serves must not make the whole service unready. The parts are checked
 * at most twice a second, however many requests ask.
 */
export function readinessCheck(
  deps: Pick<Deps, 'queues' | 'redis' | 'storage' | 'settings' | 'ending'>,
): () => Promise<ReadinessOutput> {
  const check = shareFor(sharedMs, () => checkParts(deps));
  return async () => {
    const parts = await check();
    if (!deps.ending.aborted) return parts;
    return { ...parts, ready: false, missing: [...parts.missing, 'gateway'] };
  };
}

async function checkParts({
  queues,
  redis,
  storage,
  settings,
}: Pick<Deps, 'queues' | 'redis' | 'storage' | 'settings'>): Promise<ReadinessOutput> {
  const { others } = queues;
  const [nodes, writes, mongodb, fill, ...extra] = await Promise.allSettled([
    listNodes(redis),
    checkWritable(redis),
    storage.ping(),
    storage.feeds.fill(settings.MARKET),
    ...others.map(checkWritable),
  ]);
  const known = nodes.status === 'fulfilled' ? nodes.value : [];
  const alive = known.filter(({ role, lost }) => role === 'compute' && !lost);
  const isFull =
    (writes.status === 'rejected' && isDiskFull(writes.reason)) || (await isEmbeddedFull(settings));
  const missing: ReadinessOutput['missing'] = [
    ...(isFull ? (['disk'] as const) : []),
    // A Redis that stores nothing takes no heartbeats either.
    ...(!isFull && [nodes, writes].some(({ status }) => status === 'rejected') ? (['redis'] as const) : []),
    ...(mongodb.status === 'rejected' ? (['mongodb'] as const) : []),
    ...(!isFull && alive.length === 0 ? (['compute'] as const) : []),
  ];
  const pools = alive.map((node) => Math.max(node.threads?.interactive ?? 0, node.threads?.background ?? 0));
  const threads = pools.reduce((sum, count) => sum + count, 0);
  const queuesWithoutNode = computeQueues.filter((name) =>
    [1, ...others.map((_, n) => n + 2)].some((place) => countWorkers(name, alive, place) === 0),
  );
  const market = fill.status === 'fulfilled' ? fillWords(settings.MARKET, fill.value) : 'unknown';
  return {
    ready: missing.length === 0,
    missing,
    computeNodes: alive.length,
    threads,
    redisAway: extra.flatMap(({ status }, n) => (status === 'rejected' ? [n + 2] : [])),
    queuesWithoutNode,
    market,
  };
}
