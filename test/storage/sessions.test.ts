import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Document } from 'mongodb';
import { clientKinds } from '../../storage/sessions.js';
import { temporaryStorage } from './temporary-storage.js';

const dayMs = 86_400_000;
/** From spec/auth-and-limits.md. */
const days = { web: 7, ios: 30, android: 30 };

describe('SessionRepository', () => {
  const context = temporaryStorage();
  const sessions = () => context.storage.sessions;
  const now = Date.now();

  for (const client of clientKinds) {
    it(`keeps a session of ${client} for ${days[client]} days, to the millisecond`, async () => {
      const token = await sessions().open('user-1', client, now);
      const expiresAt = new Date(now + days[client] * dayMs);
      const session = { userId: 'user-1', client, createdAt: new Date(now), expiresAt };
      assert.deepEqual(await sessions().find(token, now), session);
      assert.deepEqual(await sessions().find(token, expiresAt.getTime() - 1), session);
      assert.equal(await sessions().find(token, expiresAt.getTime()), null);
    });
  }

  it('starts now and is looked up now unless told otherwise', async () => {
    const token = await sessions().open('user-2', 'web');
    const found = await context.another().sessions.find(token);
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

  it('finds nothing for an unknown or malformed token, nor for the stored digest', async () => {
    const token = await sessions().open('user-5', 'web');
    const digest = createHash('sha256').update(token).digest('base64url');
    const others = ['', 'x', token.slice(1), `${token}A`, `${token}\n`, ` ${token}`, '$'.repeat(43)];
    for (const other of [...others, 'A'.repeat(43), digest, token.toLowerCase()]) {
      assert.equal(await sessions().find(other), null, JSON.stringify(other));
    }
    assert.notEqual(await sessions().find(token), null);
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
