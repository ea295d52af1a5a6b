import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { GrantDocument } from '../../../storage/oauth/grant-document.js';
import { GrantTokens, type IssuedTokens } from '../../../storage/oauth/grant-tokens.js';
import type { TokenScope } from '../../../storage/users/token-scopes.js';
import { newGrant } from '../../support/oauth/new-grant.js';
import { cutWrites } from '../../support/servers/cut-writes.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const secondMs = 1_000;
const dayMs = 86_400_000;
const all: TokenScope[] = ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'];
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

describe('GrantTokens', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const tokens = () => context.storage.grantTokens;
  const grants = () => context.storage.grants;
  const now = Date.now();
  let users = 0;

  /** A grant of a user of its own, with its first tokens. */
  const granted = async (at = now) => {
    const userId = `holder-${++users}`;
    const code = await grants().consent(newGrant({ userId }), at);
    const made = await tokens().exchange(code, at);
    assert.ok(made);
    const [{ id }] = await grants().ofUser(userId, at);
    return { ...made, code, userId, id };
  };
  /** The scopes of an access token; null if it is not valid. */
  const scopesOf = async (access: string, at = now) =>
    (await grants().ofAccess(sha256(access), at))?.token.scopes ?? null;
  const grantOf = async (id: string) =>
    context.db.collection<GrantDocument>('oauth_grants').findOne({ _id: id });
  const isOver = async (id: string) => (await grantOf(id)) === null;

  describe('for a code', () => {
    it('gives an access token of an hour and a refresh token of 30 days', async () => {
      const { access, refresh, scopes, expiresAt, userId, id } = await granted();
      assert.match(access, /^oat_[A-Za-z0-9_-]{43}$/);
      assert.match(refresh, /^ort_[A-Za-z0-9_-]{43}$/);
      assert.deepEqual([scopes, expiresAt], [all, new Date(now + 3_600_000)]);
      const { grant, token } = (await grants().ofAccess(sha256(access), now + 3_599_999))!;
      assert.deepEqual([grant.id, grant.userId, token.scopes], [id, userId, all]);
      assert.equal(await scopesOf(access, now + 3_600_000), null);
      assert.equal((await tokens().ofRefresh(refresh, now + 30 * dayMs - 1))?.id, id);
      assert.equal(await tokens().ofRefresh(refresh, now + 30 * dayMs), null);
      assert.equal(await tokens().refresh(refresh, all, now + 30 * dayMs), null);
    });

    it('gives them once, and for 5 minutes', async () => {
      const { code } = await granted();
      assert.equal(await tokens().exchange(code, now), null);
      const inTime = await grants().consent(newGrant(), now);
      assert.ok(await tokens().exchange(inTime, now + 299 * secondMs));
      const late = await grants().consent(newGrant(), now);
      assert.equal(await tokens().exchange(late, now + 300 * secondMs), null);
    });

    it('gives them to one of 50 requests at the same time', async () => {
      const code = await grants().consent(newGrant(), now);
      const storages = [context.storage, context.another()];
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, n) => storages[n % 2].grantTokens.exchange(code, now)),
      );
      assert.equal(made.filter((each) => each !== null).length, 1);
    });

    it('knows what it is bound to, and that it was used', async () => {
      const { code, id } = await granted();
      const found = await tokens().ofCode(code);
      assert.deepEqual(found?.grant.id, id);
      assert.deepEqual(found?.code, {
        key: sha256(code),
        redirectUri: newGrant().redirectUri,
        challenge: newGrant().challenge,
        challengeMethod: 'S256',
        expiresAt: new Date(now + 300 * secondMs),
        usedAt: new Date(now),
      });
    });

    it('gives none after the grant has ended', async () => {
      const code = await grants().consent(newGrant({ userId: 'leaver' }), now);
      assert.equal(await grants().removeAll('leaver'), 1);
      assert.equal(await tokens().exchange(code, now), null);
      assert.equal(await tokens().ofCode(code), null);
    });
  });

  describe('for a refresh token', () => {
    it('gives a pair, keeps the older access token, and may narrow the scopes of the new one', async () => {
      const first = await granted();
      const second = await tokens().refresh(first.refresh, ['read:analysis'], now + secondMs);
      assert.ok(second);
      assert.deepEqual(second.scopes, ['read:analysis']);
      assert.deepEqual(await scopesOf(second.access), ['read:analysis']);
      assert.deepEqual(await scopesOf(first.access), all);
      const third = await tokens().refresh(second.refresh, all, now + 2 * secondMs);
      assert.deepEqual(third?.scopes, all);
      const renewed = (await grantOf(first.id))!.expiresAt;
      assert.deepEqual(renewed, new Date(now + 2 * secondMs + 30 * dayMs));
    });

    it('gives the same pair again for 30 s, and later ends the grant', async () => {
      const first = await granted();
      const second = await tokens().refresh(first.refresh, all, now);
      assert.deepEqual(await tokens().refresh(first.refresh, all, now + 29_999), second);
      // Also when its successor was used meanwhile.
      const third = await tokens().refresh(second!.refresh, all, now + 1_000);
      assert.ok(third);
      assert.deepEqual(await tokens().refresh(first.refresh, all, now + 2_000), second);
      let reused = 0;
      const late = await Promise.all(
        [1, 2, 3].map(() => tokens().refresh(first.refresh, all, now + 30_000, () => void reused++)),
      );
      assert.deepEqual([late, reused], [[null, null, null], 1]);
      assert.equal(await isOver(first.id), true);
      for (const { access } of [first, second!, third]) assert.equal(await scopesOf(access), null);
      assert.equal(await tokens().refresh(third.refresh, all, now + 31_000), null);
    });

    it('gives one pair to 20 requests at the same time, over two processes', async () => {
      const first = await granted();
      const storages = [context.storage, context.another()];
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, n) => storages[n % 2].grantTokens.refresh(first.refresh, all, now)),
      );
      for (const each of made) assert.deepEqual(each, made[0]);
      assert.deepEqual(await scopesOf(made[0]!.access), all);
      assert.ok(await tokens().refresh(made[0]!.refresh, all, now + 60_000));
    });

    it('erases what the repeated answer is made of once it is not given again', async () => {
      const first = await granted();
      await tokens().refresh(first.refresh, all, now);
      const nonces = async () => {
        const stored = await context.db
          .collection('oauth_refresh_claims')
          .find({ grantId: first.id })
          .toArray();
        return stored.map(({ nonce }) => nonce as unknown);
      };
      await grants().noteUse(first.id, now + 61_000);
      assert.deepEqual(await nonces(), [null]);
      assert.equal(await tokens().refresh(first.refresh, all, now + 62_000), null);
      assert.equal(await isOver(first.id), true);
      assert.deepEqual(await nonces(), []);
    });

    it('keeps ten access tokens of a grant', async () => {
      const { access: oldest, id, ...first } = await granted();
      const told: unknown[] = [];
      const telling = new GrantTokens(context.db, async (revoked) => void told.push(revoked));
      let { refresh } = first;
      for (let n = 0; n < 10; n++) ({ refresh } = (await telling.refresh(refresh, all, now + n))!);
      assert.equal(await scopesOf(oldest), null);
      // The gateways, which cache access tokens, hear of the one that gave way.
      assert.deepEqual(told, [{ tokens: [sha256(oldest)] }]);
      const { access, keys } = (await grantOf(id))!;
      assert.deepEqual([access.length, keys.length], [10, 12]);
    });
  });

  describe('revocation', () => {
    it('of an access token ends it alone', async () => {
      const { access, refresh, id } = await granted();
      const revoked = await tokens().revoke(access, 'client_test');
      assert.deepEqual([revoked?.grant.id, revoked?.isWholeGrant], [id, false]);
      assert.equal(await scopesOf(access), null);
      assert.equal(await isOver(id), false);
      assert.ok(await tokens().refresh(refresh, all, now));
    });

    it('of a refresh token, of a used one too, ends the grant', async () => {
      for (const isUsed of [false, true]) {
        const { access, refresh, id } = await granted();
        if (isUsed) await tokens().refresh(refresh, all, now);
        const revoked = await tokens().revoke(refresh, 'client_test');
        assert.deepEqual([revoked?.grant.id, revoked?.isWholeGrant], [id, true]);
        assert.deepEqual([await scopesOf(access), await isOver(id)], [null, true]);
      }
    });

    it('by another client, or of an unknown token, does nothing', async () => {
      const { access, refresh, id } = await granted();
      for (const token of [access, refresh]) assert.equal(await tokens().revoke(token, 'client_other'), null);
      for (const token of ['', 'x', `oat_${'a'.repeat(43)}`, `ort_${'a'.repeat(43)}`])
        assert.equal(await tokens().revoke(token, 'client_test'), null);
      assert.deepEqual([await scopesOf(access), await isOver(id)], [all, false]);
    });
  });

  describe('cut off before each write', () => {
    let first: Awaited<ReturnType<typeof granted>>;
    let made: IssuedTokens | null;
    /** Access tokens that are stored for the grant. */
    const stored = async () => (await grantOf(first.id))?.access.length ?? 0;

    it('an exchange gives nothing', async () => {
      let code = '';
      const writes = await cutWrites(context.url, {
        prepare: async () => void (code = await grants().consent(newGrant({ userId: 'cut-1' }), now)),
        work: async (storage) => (made = await storage.grantTokens.exchange(code, now)),
        async check(written) {
          assert.equal(written, 0);
          assert.deepEqual(await grants().ofUser('cut-1', now), []);
          assert.ok(await tokens().exchange(code, now));
          await grants().removeAll('cut-1');
        },
      });
      assert.equal(writes, 1);
      assert.ok(made);
    });

    it('a refresh gives nothing or all, and a repeat completes it, even long after', async () => {
      const writes = await cutWrites(context.url, {
        prepare: async () => void (first = await granted()),
        work: (storage) => storage.grantTokens.refresh(first.refresh, all, now),
        async check(written) {
          assert.equal(await stored(), written < 3 ? 1 : 2);
          const laterMs = written < 3 ? 3_600_000 : 20_000;
          const repeated = await tokens().refresh(first.refresh, all, now + laterMs);
          assert.ok(repeated, `after ${written} writes`);
          assert.deepEqual(await tokens().refresh(first.refresh, all, now + laterMs + 1), repeated);
          assert.ok(await tokens().refresh(repeated.refresh, all, now + laterMs + 2));
        },
      });
      assert.equal(writes, 5);
    });

    it('a revocation ends the grant with its first write', async () => {
      const writes = await cutWrites(context.url, {
        prepare: async () => void (first = await granted()),
        work: (storage) => storage.grantTokens.revoke(first.refresh, 'client_test'),
        async check(written) {
          assert.equal(await isOver(first.id), written > 0);
          assert.equal((await scopesOf(first.access)) === null, written > 0);
        },
      });
      assert.equal(writes, 2);
    });
  });

  it('stores the SHA-256 of secrets and never a secret', async () => {
    const first = await granted();
    const second = await tokens().refresh(first.refresh, all, now);
    const secrets = [first.code, first.access, first.refresh, second!.access, second!.refresh];
    for (const name of ['oauth_grants', 'oauth_refresh_claims']) {
      const text = JSON.stringify(await context.db.collection(name).find().toArray());
      for (const secret of secrets) assert.ok(!text.includes(secret.slice(4)), name);
    }
  });
});
