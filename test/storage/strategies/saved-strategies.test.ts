import assert from 'node:assert/strict';
import { mostStrategies } from '../../../storage/strategies/saved-strategies.js';
import { mostStrategyVersions, strategyIdPattern } from '../../../storage/strategies/saved-strategy.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const unknown = { code: 'unknown_strategy', kind: 'missing' };

describe('saved strategies', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const repository = () => context.storage.savedStrategies;
  const given = (hash = 'a', name = 'one') => ({ name, description: '', hash, rules: { of: hash } });
  let users = 0;
  const freshUser = (plan: 'free' | 'plus' | 'pro' = 'free') => ({
    userId: String(++users).padStart(24, '0'),
    plan,
  });

  it('are saved, changed in versions, and deleted', async () => {
    const user = freshUser();
    const saved = await repository().add(user, given(), 1_000);
    assert.match(saved.id, strategyIdPattern);
    const same = await repository().addVersion(user.userId, saved.id, { hash: 'a', rules: {} }, 2_000);
    assert.deepEqual(same, saved);
    const changed = await repository().addVersion(
      user.userId,
      saved.id,
      { hash: 'b', rules: { of: 'b' } },
      3_000,
    );
    assert.deepEqual(changed.versions, [
      { version: 1, hash: 'a', rules: { of: 'a' }, createdAt: new Date(1_000) },
      { version: 2, hash: 'b', rules: { of: 'b' }, createdAt: new Date(3_000) },
    ]);
    assert.deepEqual(await repository().find(user.userId, saved.id), changed);
    // Back to the first rules: that is a version of its own.
    const back = await repository().addVersion(user.userId, saved.id, { hash: 'a', rules: {} });
    assert.equal(back.versions.at(-1)!.version, 3);
    await repository().remove(user.userId, saved.id);
    await assert.rejects(repository().find(user.userId, saved.id), unknown);
  });

  it('are nobody else’s, whatever is asked', async () => {
    const [user, other] = [freshUser(), freshUser()];
    const { id } = await repository().add(user, given());
    const before = await repository().find(user.userId, id);
    const { userId } = other;
    const calls = [
      () => repository().find(userId, id),
      () => repository().addVersion(userId, id, { hash: 'b', rules: {} }),
      () => repository().share(userId, id, { version: 1, shared: true }),
      () => repository().remove(userId, id),
    ];
    for (const call of calls)
      await assert.rejects(call(), { ...unknown, message: `there is no saved strategy "${id}"` });
    assert.deepEqual((await repository().list(userId, { limit: 10 })).strategies, []);
    assert.deepEqual(await repository().find(user.userId, id), before);
  });

  it('are as many as the plan allows, however many are saved at once', async () => {
    const user = freshUser();
    const tries = Array.from({ length: 25 }, () => repository().add(user, given()));
    const results = await Promise.allSettled(tries);
    const refused = results.filter((each) => each.status === 'rejected');
    assert.equal(results.length - refused.length, mostStrategies.free);
    for (const { reason } of refused) assert.equal((reason as { code: string }).code, 'too_many_strategies');
    const { strategies } = await repository().list(user.userId, { limit: 100 });
    assert.equal(strategies.length, mostStrategies.free);
    assert.equal((await repository().add({ ...user, plan: 'plus' }, given())).versions.length, 1);
    await assert.rejects(repository().add(user, given()), { code: 'too_many_strategies', kind: 'conflict' });
  });

  it('keep every version of changes at once, in order', async () => {
    const user = freshUser();
    const { id } = await repository().add(user, given('0'));
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        repository().addVersion(user.userId, id, { hash: `h${n}`, rules: {} }),
      ),
    );
    const { versions } = await repository().find(user.userId, id);
    assert.deepEqual(
      versions.map(({ version }) => version),
      Array.from({ length: 13 }, (_, n) => n + 1),
    );
    assert.equal(new Set(versions.map(({ hash }) => hash)).size, 13);
  });

  it('lose the oldest version that is not shared beyond 50', async () => {
    const user = freshUser();
    const { id } = await repository().add(user, given('h1'));
    await repository().share(user.userId, id, { version: 1, shared: true });
    for (let n = 2; n <= mostStrategyVersions + 2; n++)
      await repository().addVersion(user.userId, id, { hash: `h${n}`, rules: {} });
    const { versions } = await repository().find(user.userId, id);
    const numbers = versions.map(({ version }) => version);
    assert.deepEqual([numbers.length, ...numbers.slice(0, 3), numbers.at(-1)], [50, 1, 4, 5, 52]);
    for (const version of numbers) await repository().share(user.userId, id, { version, shared: true });
    await assert.rejects(repository().addVersion(user.userId, id, { hash: 'more', rules: {} }), {
      code: 'too_many_strategies',
      message: `all 50 versions of "${id}" are shared: end that for one first`,
    });
    await repository().share(user.userId, id, { version: 4, shared: false });
    const changed = await repository().addVersion(user.userId, id, { hash: 'more', rules: {} });
    assert.equal(changed.versions.at(-1)!.version, 53);
    assert.ok(!changed.versions.some(({ version }) => version === 4));
  });

  it('are found by the hash of a shared version, until that ends', async () => {
    const [user, other] = [freshUser(), freshUser()];
    const hash = 'shared-by-two';
    const { id } = await repository().add(user, given(hash, 'first'), 1_000);
    const { id: second } = await repository().add(other, given(hash, 'second'), 2_000);
    const share = (userId: string, strategy: string, shared: boolean) =>
      repository().share(userId, strategy, { version: 1, shared });
    await assert.rejects(repository().shared(hash), unknown);
    await share(other.userId, second, true);
    assert.deepEqual(await repository().shared(hash), { name: 'second', hash, rules: { of: hash } });
    await share(user.userId, id, true);
    assert.equal((await repository().shared(hash)).name, 'first');
    await share(user.userId, id, true);
    // Other versions of the strategy are not shared with it.
    await repository().addVersion(user.userId, id, { hash: 'secret', rules: {} });
    await assert.rejects(repository().shared('secret'), unknown);
    await repository().remove(user.userId, id);
    assert.equal((await repository().shared(hash)).name, 'second');
    await share(other.userId, second, false);
    await assert.rejects(repository().shared(hash), unknown);
    await assert.rejects(repository().share(other.userId, second, { version: 7, shared: true }), {
      message: `the strategy "${second}" has no version 7`,
    });
  });

  it('come in pages, the one changed last first', async () => {
    const user = freshUser('plus');
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push((await repository().add(user, given(`h${n}`), 1_000 + (n % 2))).id);
    await repository().addVersion(user.userId, ids[0], { hash: 'newer', rules: {} }, 9_000);
    const found: string[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < 10; pages++) {
      const { strategies, next } = await repository().list(user.userId, { limit: 3, after });
      found.push(...strategies.map(({ id }) => id));
      if (next === null) break;
      after = next;
    }
    assert.deepEqual([found[0], found.length, new Set(found).size], [ids[0], 7, 7]);
  });

  it('go with their user', async () => {
    const user = freshUser();
    await repository().add(user, given());
    await context.storage.owned.removeAll(user.userId);
    assert.deepEqual((await repository().list(user.userId, { limit: 10 })).strategies, []);
  });
});
