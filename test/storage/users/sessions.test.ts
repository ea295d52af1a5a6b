import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { Document } from 'mongodb';
import type { Revoked } from '../../../storage/users/revoked.js';
import { clientKinds, SessionRepository, sessionIdOf } from '../../../storage/users/sessions.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const dayMs = 86_400_000;
/** From spec/auth-and-limits.md. */
const days = { web: 7, ios: 30, android: 30 };

describe('SessionRepository', () => {
  const context = temporaryStorage();
  const sessions = () => context.storage.sessions;
  const now = Date.now();

  /** Stores sessions as `open` does, all at once; returns their ids. */
  const store = async (userId: string, openedAt: readonly number[]) => {
    const stored = openedAt.map((at) => ({
      _id: sessionIdOf(randomBytes(32).toString('base64url'))!,
      userId,
      client: 'web',
      createdAt: new Date(at),
      expiresAt: new Date(at + days.web * dayMs),
    }));
    await context.db.collection<{ _id: string }>('sessions').insertMany(stored);
    return stored.map(({ _id }) => _id);
  };
  const from = (startMs: number, count: number, stepMs: number) =>
    Array.from({ length: count }, (_, n) => startMs + n * stepMs);

  for (const client of clientKinds) {
    it(`keeps a session of ${client} for ${days[client]} days, to the millisecond`, async () => {
      const token = await sessions().open('user-1', client, now);
      const expiresAt = new Date(now + days[client] * dayMs);
      const id = sessionIdOf(token)!;
      const session = { id, userId: 'user-1', client, createdAt: new Date(now), expiresAt };
      assert.deepEqual(await sessions().find(id, now), session);
      assert.deepEqual(await sessions().find(id, expiresAt.getTime() - 1), session);
      assert.equal(await sessions().find(id, expiresAt.getTime()), null);
    });
  }

  it('starts now and is looked up now by default', async () => {
    const token = await sessions().open('user-2', 'web');
    const found = await context.another().sessions.find(sessionIdOf(token)!);
    assert.equal(found?.userId, 'user-2');
    assert.equal(found.expiresAt.getTime() - found.createdAt.getTime(), 7 * dayMs);
    assert.ok(Math.abs(found.createdAt.getTime() - Date.now()) < 60_000);
  });

  it('hands out 256 random bits in base64url, other ones each time', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => sessions().open('user-3', 'web')));
    for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.equal(new Set(tokens).size, 20);
  });

  it('stores the SHA-256 of the token and never the token', async () => {
    const token = await sessions().open('user-4', 'ios');
    const stored = await context.db.collection<Document>('sessions').find({ userId: 'user-4' }).toArray();
    const _id = createHash('sha256').update(token).digest('base64url');
    assert.deepEqual(
      stored.map((document) => document._id as unknown),
      [_id],
    );
    assert.equal(JSON.stringify(stored).includes(token), false);
  });

  it('knows what cannot be a token', async () => {
    const token = await sessions().open('user-5', 'web');
    for (const other of ['', 'x', token.slice(1), `${token}A`, `${token}\n`, ` ${token}`, '$'.repeat(43)])
      assert.equal(sessionIdOf(other), null, JSON.stringify(other));
  });

  it('finds nothing for the token itself nor for the digest of a digest', async () => {
    const token = await sessions().open('user-5', 'web');
    const id = sessionIdOf(token)!;
    for (const other of [token, sessionIdOf(id)!, sessionIdOf('A'.repeat(43))!])
      assert.equal(await sessions().find(other), null);
    assert.notEqual(await sessions().find(id), null);
  });

  it('ends one session of its user and nobody else’s', async () => {
    const id = sessionIdOf(await sessions().open('user-6', 'web'))!;
    assert.equal(await sessions().end('user-7', id), false);
    assert.notEqual(await sessions().find(id), null);
    assert.equal(await sessions().end('user-6', id), true);
    assert.equal(await sessions().end('user-6', id), false);
    assert.equal(await sessions().find(id), null);
  });

  it('ends all sessions of a user but the one that stays', async () => {
    const [first, second, kept] = await Promise.all(
      Array.from({ length: 3 }, async () => sessionIdOf(await sessions().open('user-8', 'web'))!),
    );
    const others = sessionIdOf(await sessions().open('user-9', 'web'))!;
    assert.equal((await sessions().ofUser('user-8')).length, 3);
    assert.equal(await sessions().endAll('user-8', kept), 2);
    for (const id of [first, second]) assert.equal(await sessions().find(id), null);
    assert.deepEqual(
      (await sessions().ofUser('user-8')).map(({ id }) => id),
      [kept],
    );
    assert.equal(await sessions().endAll('user-8'), 1);
    assert.notEqual(await sessions().find(others), null);
  });

  it('keeps the newest 100 of a user, ends the oldest, and tells the gateways', async () => {
    const told: Revoked[] = [];
    const announcing = new SessionRepository(context.db, async (revoked) => void told.push(revoked));
    const other = sessionIdOf(await sessions().open('user-11', 'web', now - 1_000_000))!;
    const ids = await store('user-10', from(now, 99, 1_000));
    for (let n = 99; n < 103; n++)
      ids.push(sessionIdOf(await announcing.open('user-10', 'web', now + n * 1_000))!);
    const left = (await sessions().ofUser('user-10', now)).map(({ id }) => id);
    assert.deepEqual(left, ids.slice(3).reverse());
    assert.deepEqual(
      told,
      ids.slice(0, 3).map((id) => ({ sessions: [id] })),
    );
    assert.equal(await sessions().find(ids[0], now), null);
    assert.notEqual(await sessions().find(other, now), null);
  });

  it('keeps the session just opened, though the clock of another process is ahead', async () => {
    await store('user-12', from(now + 600_000, 100, 1));
    const id = sessionIdOf(await sessions().open('user-12', 'web', now))!;
    assert.notEqual(await sessions().find(id, now), null);
    assert.equal((await sessions().ofUser('user-12', now)).length, 100);
  });

  it('does not count expired sessions', async () => {
    const kept = sessionIdOf(await sessions().open('user-13', 'ios', now - 20 * dayMs))!;
    await store('user-13', from(now - 8 * dayMs, 99, 1));
    for (let n = 0; n < 5; n++) await sessions().open('user-13', 'web', now + n);
    assert.notEqual(await sessions().find(kept, now), null);
  });

  it('keeps to the limit when many sign in at the same time, in several processes', async () => {
    const clients = [context.storage, context.another(), context.another()];
    const earlier = await store('user-14', from(now, 80, 10));
    const opening = from(now + 800, 70, 10).map((at, n) =>
      clients[n % 3].sessions.open('user-14', 'web', at),
    );
    const ids = [...earlier, ...(await Promise.all(opening)).map((token) => sessionIdOf(token)!)];
    const left = (await sessions().ofUser('user-14', now)).map(({ id }) => id);
    assert.ok(left.length === 99 || left.length === 100, String(left.length));
    assert.deepEqual(left.slice(0, 99), ids.slice(51).reverse());
    assert.equal(await context.db.collection('sessions').countDocuments({ userId: 'user-14' }), left.length);
  });

  it('lets the database remove expired sessions', async () => {
    const indexes = await context.db.collection('sessions').indexes();
    const ttl = indexes.filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
    assert.deepEqual(
      ttl.map(({ key, expireAfterSeconds }) => ({ key, expireAfterSeconds })),
      [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
    );
  });
});
