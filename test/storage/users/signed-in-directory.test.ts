import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { connected, failFast, openRedis, patient } from '../../../storage/servers/redis.js';
import { SessionRepository, sessionIdOf } from '../../../storage/users/sessions.js';
import { SignedInDirectory } from '../../../storage/users/signed-in-directory.js';
import { announceRevoked } from '../../../storage/users/revoked.js';
import { OwnServer } from '../../support/servers/own-server.js';
import { until } from '../../support/process/until.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('SignedInDirectory', () => {
  const context = temporaryStorage();
  let server: OwnServer;
  let redis: Redis;
  let sessions: SessionRepository;
  let directories: SignedInDirectory[];
  let reads = 0;
  /** Holds what was read up until it is resolved. */
  let held = Promise.resolve();

  before(async () => {
    server = await OwnServer.open('redis');
    redis = openRedis(server.url, failFast);
    await connected(redis);
    sessions = new SessionRepository(context.db, announceRevoked(redis));
    const counted = {
      ...context.storage,
      sessions: {
        find: async (id: string, now?: number) => {
          const found = await sessions.find(id, now);
          reads++;
          await held;
          return found;
        },
      },
      users: context.storage.users,
    };
    directories = [1, 2].map(() => new SignedInDirectory(counted, openRedis(server.url, patient)));
  });
  after(async () => {
    for (const directory of directories) directory.close();
    redis.disconnect();
    await server.close();
  });

  async function signIn(now?: number): Promise<{ token: string; userId: string }> {
    const email = `${Math.random()}@example.com`;
    const { id } = await context.storage.users.add({ email, plan: 'plus', passwordHash: 'x' });
    return { token: await sessions.open(id, 'web', now), userId: id };
  }

  /** Resolves when the directory caches what it reads: it is subscribed. */
  const caching = (directory: SignedInDirectory, token: string) =>
    until('a cached session', async () => {
      const before = reads;
      await directory.find(token);
      return reads === before;
    });

  it('reads a session once, however many ask and however often', async () => {
    const { token, userId } = await signIn();
    await caching(directories[0], token);
    const another = await signIn();
    reads = 0;
    const found = await Promise.all(Array.from({ length: 20 }, () => directories[0].find(another.token)));
    assert.equal(new Set(found.map((each) => each?.userId)).size, 1);
    assert.equal(reads, 1);
    const { sessionId, plan, operator } = (await directories[0].find(token))!;
    assert.deepEqual([sessionId, plan, operator], [sessionIdOf(token), 'plus', false]);
    assert.equal((await directories[0].find(token))?.userId, userId);
    assert.equal(reads, 1);
  });

  it('forgets a session that has ended, in every gateway', async () => {
    const { token, userId } = await signIn();
    for (const directory of directories) await caching(directory, token);
    await sessions.end(userId, sessionIdOf(token)!);
    // Without the message they would keep it for 60 s.
    for (const directory of directories)
      await until('the end', async () => (await directory.find(token)) === null);
  });

  it('forgets at once what its own process ends, also while it reads', async () => {
    const [directory] = directories;
    const here = new SessionRepository(context.db, async (revoked) => directory.forget(revoked));
    const [kept, read] = [await signIn(), await signIn()];
    await caching(directory, kept.token);
    let release: () => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    reads = 0;
    const reading = directory.find(read.token);
    await until('the read to begin', () => reads === 1);
    for (const { userId, token } of [kept, read]) await here.end(userId, sessionIdOf(token)!);
    release();
    await reading;
    for (const { token } of [kept, read]) assert.equal(await directory.find(token), null);
  });

  it('forgets all sessions of a user but the one that stays', async () => {
    const { token, userId } = await signIn();
    const kept = await sessions.open(userId, 'ios');
    for (const each of [token, kept]) await caching(directories[1], each);
    await sessions.endAll(userId, sessionIdOf(kept)!);
    await until('the end', async () => (await directories[1].find(token)) === null);
    assert.equal((await directories[1].find(kept))?.userId, userId);
  });

  it('returns no session that had ended before the call, even while an earlier read of it is in progress', async () => {
    const known = await signIn();
    await caching(directories[0], known.token);
    const { token, userId } = await signIn();
    let release!: () => void;
    held = new Promise((resolve) => (release = resolve));
    reads = 0;
    const early = directories[0].find(token);
    await until('the read', () => reads === 1);
    await sessions.end(userId, sessionIdOf(token)!);
    const late: Promise<unknown>[] = [];
    // A read that begins after the message about the end.
    await until('another read', () => {
      late.push(directories[0].find(token));
      return reads === 2;
    });
    release();
    held = Promise.resolve();
    assert.notEqual(await early, null);
    assert.equal(await late.at(-1), null);
  });

  it('keeps no session beyond its end', async () => {
    const day = 86_400_000;
    const openedAt = Date.now() - 7 * day + 60_000;
    const { token } = await signIn(openedAt);
    assert.notEqual(await directories[0].find(token), null);
    assert.equal(await directories[0].find(token, openedAt + 7 * day), null);
  });

  it('reads each time while messages could be missed', async () => {
    const { token, userId } = await signIn();
    await caching(directories[0], token);
    await server.kill();
    await until('no cache', async () => {
      const before = reads;
      await directories[0].find(token);
      return reads > before;
    });
    await sessions.end(userId, sessionIdOf(token)!);
    assert.equal(await directories[0].find(token), null);
    await server.start();
    // Both listen again: a connection that is closed while it subscribes rejects.
    const again = await signIn();
    for (const directory of directories) await caching(directory, again.token);
  });
});
