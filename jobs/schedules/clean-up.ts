import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { DeadLetters } from '../../storage/cluster/dead-letters.js';
import { redisNow } from '../../storage/servers/redis-now.js';
import { Prices } from '../../storage/candles/prices.js';
import { ScheduleRuns } from '../../storage/cluster/schedule-runs.js';
import { queueNames } from '../../storage/cluster/queues.js';
import type { ExpiringCollection } from '../../storage/servers/expiring-data.js';
import { ResultStore } from '../requests/result-store.js';
import { retention } from '../requests/retention.js';
import { defineSchedule, type ScheduleTools } from './worker/schedule.js';
import { ScheduleQueue } from './worker/schedule-queue.js';

const dayMs = 86_400_000;
/** How long unused data is kept, in days. */
const keptDays = {
  leases: 1,
  feeds: 90,
  prices: 7,
  leaderboards: 30,
  riskCalibrations: 30,
  clients: 30,
  auditEvents: 180,
};
const jobsAtATime = 5_000;

const before = (nowMs: number, days: number) => new Date(nowMs - days * dayMs);

type DropPart = (tools: ScheduleTools, nowMs: number, signal: AbortSignal) => Promise<number>;

const expired =
  (name: ExpiringCollection, days = 0): DropPart =>
  ({ storage }, nowMs) =>
    storage.expiring.drop(name, before(nowMs, days));

/** The kinds of data that expire: each function deletes the expired ones and returns how many. */
const parts: Record<string, DropPart> = {
  sessions: expired('sessions'),
  tokens: expired('personal_tokens'),
  mails: expired('mails'),
  'connected apps': ({ storage }, nowMs) => storage.grants.dropExpired(nowMs),
  'requests for authorization': expired('oauth_transactions'),
  'clients without users': ({ storage }, nowMs) =>
    storage.oauthClients.dropUnused(before(nowMs, keptDays.clients)),
  'audit events': ({ storage }, nowMs) => storage.auditEvents.dropOlder(before(nowMs, keptDays.auditEvents)),
  backtests: expired('backtests'),
  conversations: expired('conversations'),
  'counts of tokens': expired('token_use'),
  'backtests over the limit': ({ storage }, _nowMs, signal) => storage.backtests.dropAllExcess(signal),
  leases: ({ storage }, nowMs) => storage.leases.dropAbandoned(before(nowMs, keptDays.leases)),
  feeds: ({ storage }, nowMs) => storage.feeds.dropAbandoned(before(nowMs, keptDays.feeds)),
  leaderboards: expired('leaderboards', keptDays.leaderboards),
  'risk calibrations': expired('risk_calibrations', keptDays.riskCalibrations),
  prices: ({ redis, settings }, nowMs) =>
    new Prices(redis).dropOlder(settings.MARKET, before(nowMs, keptDays.prices).getTime()),
  results: (tools) => onEach(tools, (redis) => new ResultStore(redis, 0).sweep()),
  'dead letters': ({ redis }) => new DeadLetters(redis).dropAll('old'),
  'finished jobs': (tools) => onEach(tools, dropFinished),
  schedules: ({ redis, scheduleNames }) => dropUnknown(redis, scheduleNames),
};

/** Every night, an hour before the leaderboards. */
export const cleanUpSchedule = defineSchedule({
  name: 'clean-up',
  summary: 'deletes expired data: sessions, leases, results, finished jobs and the like',
  pattern: '0 0 2 * * *',
  limitMs: 600_000,
  async run(tools, signal) {
    // The clock of Redis, because the clock of this machine may be ahead and delete data that is still valid.
    const nowMs = await redisNow(tools.redis);
    const counts: string[] = [];
    for (const [name, drop] of Object.entries(parts)) {
      signal.throwIfAborted();
      await tools.lease.confirm();
      const dropped = await drop(tools, nowMs, signal);
      if (dropped > 0) counts.push(`${dropped} ${name}`);
    }
    return counts.length === 0 ? 'nothing to delete' : `${counts.join(', ')} deleted`;
  },
});

/** Deletes on every Redis that holds requests. */
async function onEach(
  { redis, queues }: ScheduleTools,
  drop: (redis: Redis) => Promise<number>,
): Promise<number> {
  const dropped = await Promise.all([redis, ...queues.others].map(drop));
  return dropped.reduce((sum, count) => sum + count, 0);
}

/** BullMQ deletes finished jobs when another job of the queue finishes. In a quiet queue they would stay. */
async function dropFinished(redis: Redis): Promise<number> {
  let dropped = 0;
  for (const name of queueNames) {
    const queue = new Queue(name, { connection: redis, skipWaitingForReady: true });
    queue.on('error', () => undefined);
    const { removeOnComplete, removeOnFail } = retention;
    const completed = await queue.clean(removeOnComplete.age * 1_000, jobsAtATime, 'completed');
    const failed = await queue.clean(removeOnFail.age * 1_000, jobsAtATime, 'failed');
    dropped += completed.length + failed.length;
    await queue.close();
  }
  return dropped;
}

/** Deletes schedules that this version does not have. */
async function dropUnknown(redis: Redis, names: readonly string[]): Promise<number> {
  const queue = new ScheduleQueue(redis);
  try {
    return (await queue.keepOnly(names)) + (await new ScheduleRuns(redis).keepOnly(names));
  } finally {
    await queue.close();
  }
}
