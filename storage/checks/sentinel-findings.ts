import { Redis } from 'ioredis';
import { failFast } from '../servers/redis.js';
import type { sentinelAddress } from '../servers/redis-url.js';
import { findingsOf, type Finding } from './finding.js';

/** What the sentinels of a primary say, and the primary about its replicas. */
export interface SentinelFacts {
  /** What each sentinel answers to SENTINEL MASTER; null for one that does not answer or does not know the name. */
  sentinels: readonly (Readonly<Record<string, string>> | null)[];
  /** The replicas that are connected to the primary. */
  replicas: number;
  /** The setting of the primary; null where CONFIG is not allowed. */
  minReplicasToWrite: string | null;
}

const { ok, warning, unfit } = findingsOf('redis');

/** Whether a primary, its replicas and its sentinels survive the loss of a machine. */
export function sentinelFindings({
  sentinels,
  replicas,
  minReplicasToWrite: least,
}: SentinelFacts): Finding[] {
  const answers = sentinels.filter((each) => each !== null);
  const others = Math.max(0, ...answers.map((each) => Number(each['num-other-sentinels'])));
  const all = Math.max(sentinels.length, others + 1);
  const quorum = Math.max(0, ...answers.map((each) => Number(each.quorum)));
  const found = `${answers.length} of ${all} answer`;
  const isMajority = answers.length > all / 2;
  return [
    !isMajority
      ? unfit('sentinels', found, 'start them: without most of them no new primary is chosen')
      : all < 3
        ? warning(
            'sentinels',
            found,
            'run three, on three machines: with fewer no loss of a machine is survived',
          )
        : answers.length < all
          ? warning('sentinels', found, 'start the others, and name all of them in REDIS_URL')
          : ok('sentinels', found),
    quorum > answers.length
      ? unfit('quorum', `${quorum} of ${all}`, 'start more sentinels, or lower the quorum')
      : quorum < 2
        ? warning(
            'quorum',
            `${quorum} of ${all}`,
            'set it to 2: one sentinel that is cut off must not replace a primary',
          )
        : ok('quorum', `${quorum} of ${all}`),
    replicas === 0
      ? unfit('replicas', 'none', 'start a replica: there is no server that could become the primary')
      : ok('replicas', String(replicas)),
    least === null
      ? warning('min-replicas-to-write', 'unknown', 'set it to 1, and let this user run CONFIG GET')
      : least === '0'
        ? warning(
            'min-replicas-to-write',
            '0',
            'set it to 1: a primary that is cut off takes writes which are lost later',
          )
        : Number(least) > replicas
          ? unfit(
              'min-replicas-to-write',
              `${least}, with ${replicas} replicas`,
              'start replicas: this primary refuses writes',
            )
          : ok('min-replicas-to-write', least),
  ];
}

/** Asks each sentinel of the address about its primary. */
export const askSentinels = (
  address: NonNullable<ReturnType<typeof sentinelAddress>>,
): Promise<SentinelFacts['sentinels']> =>
  Promise.all(
    address.sentinels.map(async ({ host, port }) => {
      const { sentinelPassword: password = '', sentinelTLS: tls } = address;
      const once = { ...failFast.redis, retryStrategy: () => null, commandTimeout: 1_000 };
      const options = { host, port, password, ...(tls && { tls }), ...once, enableOfflineQueue: true };
      const sentinel = new Redis(options).on('error', () => undefined);
      try {
        const answer = (await sentinel.call('SENTINEL', 'MASTER', address.name)) as string[];
        return Object.fromEntries(
          answer.flatMap((field, n) => (n % 2 === 0 ? [[field, answer[n + 1]]] : [])),
        );
      } catch {
        return null;
      } finally {
        sentinel.disconnect();
      }
    }),
  );
