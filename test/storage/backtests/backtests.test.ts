import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { MongoBulkWriteError, type Db } from 'mongodb';
import { BacktestRepository, mostBacktests } from '../../../storage/backtests/backtests.js';
import { mostReportBytes } from '../../../storage/backtests/report-text.js';
import { removeUser } from '../../../storage/users/remove-user.js';
import { numberedBacktest, numberedId } from '../../support/backtests/numbered-backtests.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const dayMs = 86_400_000;
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('stored backtests', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  let users = 0;
  const freshUser = () => `user-${++users}`;
  const store = () => context.storage.backtests;
  const idsOf = async (userId: string) =>
    (await store().list(userId, 'builtIn', { limit: 1_000 })).backtests.map(({ id }) => id);

  it('are found by their user with the same report and what the list shows', async () => {
    const userId = freshUser();
    const run = numberedBacktest(userId, 1, { text: `{"trades":"${'ü€'.repeat(50_000)}"}` });
    await store().add([run]);
    const stored = {
      id: run.id,
      ...run.summary,
      createdAt: new Date(run.ranAtMs),
      expiresAt: new Date(run.ranAtMs + 90 * dayMs),
      ...{ name: null, note: null, isKept: false, share: null },
    };
    assert.deepEqual(await store().find(userId, 'builtIn', run.id), { backtest: stored, text: run.text });
    assert.deepEqual(await store().list(userId, 'builtIn', { limit: 10 }), {
      backtests: [stored],
      next: null,
    });
  });

  it('are unknown to all other users', async () => {
    const [userId, other] = [freshUser(), freshUser()];
    await store().add([numberedBacktest(userId, 1)]);
    assert.equal(await store().find(other, 'builtIn', numberedId(1)), null);
    assert.equal(await store().remove(other, 'builtIn', numberedId(1)), false);
    assert.deepEqual(await idsOf(other), []);
    // A user id that ends as a key goes on names nothing either.
    assert.equal(await store().find('', 'builtIn', `${userId}:${numberedId(1)}`), null);
    assert.deepEqual(await idsOf(userId), [numberedId(1)]);
  });

  it('of two users may have the same id, and each keeps its own', async () => {
    const [one, other] = [freshUser(), freshUser()];
    await store().add([numberedBacktest(one, 1), numberedBacktest(other, 1)]);
    assert.equal(await store().remove(one, 'builtIn', numberedId(1)), true);
    assert.equal(await store().remove(one, 'builtIn', numberedId(1)), false);
    assert.deepEqual(await idsOf(other), [numberedId(1)]);
  });

  it('come in pages, the newest first', async () => {
    const userId = freshUser();
    // Many of one millisecond, too.
    const ranAtMs = Date.now();
    await store().add(
      upTo(25).map((n) => numberedBacktest(userId, n, { ranAtMs: ranAtMs + Math.floor(n / 10) })),
    );
    const found: string[] = [];
    for (let after: string | null | undefined = undefined; after !== null;) {
      const page: Awaited<ReturnType<ReturnType<typeof store>['list']>> = await store().list(
        userId,
        'builtIn',
        {
          limit: 4,
          ...(after === undefined ? {} : { after }),
        },
      );
      found.push(...page.backtests.map(({ id }) => id));
      after = page.next;
    }
    const tens = [20, 10, 0].flatMap((from) => upTo(10).map((n) => from + 9 - n));
    assert.deepEqual(
      found,
      tens.filter((n) => n < 25).map((n) => numberedId(n)),
    );
  });

  it('are one entry when they are run again, which is the newest then', async () => {
    const userId = freshUser();
    await store().add(upTo(3).map((n) => numberedBacktest(userId, n)));
    const again = numberedBacktest(userId, 0, { ranAtMs: Date.now() + 10_000 });
    await Promise.all(upTo(5).map(() => store().add([again, numberedBacktest(userId, 0)])));
    assert.deepEqual(await idsOf(userId), [0, 2, 1].map(numberedId));
    const { createdAt } = (await store().find(userId, 'builtIn', numberedId(0)))!.backtest;
    assert.deepEqual(createdAt, new Date(again.ranAtMs));
  });

  it('are the newest 200 of a user, whoever writes them at the same time', async () => {
    const [userId, other] = [freshUser(), freshUser()];
    await store().add([numberedBacktest(other, 1, { ranAtMs: Date.now() - dayMs })]);
    const writers = [context.storage, context.another(), context.another()];
    const all = upTo(270).map((n) => numberedBacktest(userId, n));
    await Promise.all(
      writers.map(async ({ backtests }, w) => {
        const own = all.filter((_, n) => n % writers.length === w);
        for (let from = 0; from < own.length; from += 7) await backtests.add(own.slice(from, from + 7));
      }),
    );
    const newest = upTo(200).map((n) => numberedId(269 - n));
    assert.equal(mostBacktests, 200);
    assert.deepEqual(await idsOf(userId), newest);
    assert.deepEqual(await idsOf(other), [numberedId(1)]);
  });

  it('of built-in strategies and of own rules are apart, each with a limit of its own', async () => {
    const userId = freshUser();
    const { summary } = numberedBacktest(userId, 0);
    const ofRules = (n: number) => numberedBacktest(userId, n, { kind: 'research', summary });
    await store().add([numberedBacktest(userId, 999), ...upTo(203).map(ofRules)]);
    assert.deepEqual(await idsOf(userId), [numberedId(999)]);
    const { backtests } = await store().list(userId, 'research', { limit: 1_000 });
    assert.deepEqual(
      backtests.map(({ id }) => id),
      upTo(200).map((n) => numberedId(202 - n)),
    );
    assert.deepEqual(
      [await store().count(userId, 'builtIn'), await store().count(userId, 'research')],
      [1, 200],
    );
    assert.equal(await store().find(userId, 'builtIn', numberedId(202)), null);
    assert.equal(await store().remove(userId, 'builtIn', numberedId(202)), false);
    assert.equal(await store().remove(userId, 'research', numberedId(202)), true);
  });

  it('over the limit that a killed process has left are deleted at night', async () => {
    const userId = freshUser();
    await store().add(upTo(100).map((n) => numberedBacktest(userId, n)));
    const left = await context.db.collection('backtests').find({ userId }).toArray();
    const copies = [1, 2].flatMap((copy) =>
      left.map((each, n) => ({
        ...each,
        _id: `${userId}:copy-${copy}-${n}` as never,
        order: `2020-01-0${copy} ${numberedId(n)}`,
      })),
    );
    await context.db.collection('backtests').insertMany(copies);
    const { signal } = new AbortController();
    assert.equal(await store().dropAllExcess(signal), 100);
    assert.equal((await idsOf(userId)).length, 200);
    assert.equal(await store().dropAllExcess(signal), 0);
    await assert.rejects(store().dropAllExcess(AbortSignal.abort()), { name: 'AbortError' });
  });

  it('end after 90 days, whenever the database deletes them, and may be run again', async () => {
    const userId = freshUser();
    const expired = numberedBacktest(userId, 1, { ranAtMs: Date.now() - 90 * dayMs - 60_000 });
    const kept = numberedBacktest(userId, 2, { ranAtMs: Date.now() - 90 * dayMs + 60_000 });
    await store().add([expired, kept]);
    assert.deepEqual(await idsOf(userId), [kept.id]);
    assert.equal(await store().find(userId, 'builtIn', expired.id), null);
    assert.equal(await store().remove(userId, 'builtIn', expired.id), false);
    await store().add([numberedBacktest(userId, 1)]);
    assert.deepEqual(await idsOf(userId), [expired.id, kept.id]);
    await store().add([numberedBacktest(userId, 3, { ranAtMs: expired.ranAtMs })]);
    assert.equal(await context.storage.expiring.drop('backtests', new Date()), 1);
    const indexes = await context.db.collection('backtests').indexes();
    assert.deepEqual(
      indexes.map(({ key, expireAfterSeconds }) => [Object.keys(key).join(), expireAfterSeconds]).sort(),
      [
        ['_id', undefined],
        ['expiresAt', 0],
        ['share.token', undefined],
        ['userId,kind,order', undefined],
      ],
    );
  });

  it('have a largest size; the others of the same write are stored', async () => {
    const userId = freshUser();
    const large = JSON.stringify(randomBytes(mostReportBytes).toString('base64'));
    const runs = [numberedBacktest(userId, 1, { text: large }), numberedBacktest(userId, 2)];
    assert.deepEqual(await store().add(runs), [runs[0]]);
    assert.deepEqual(await idsOf(userId), [numberedId(2)]);
  });

  it('are not stored where the connection breaks during the insert: the error reaches the writer', async () => {
    // The driver reports a broken connection as a bulk write error without write errors.
    const broken = new MongoBulkWriteError(new Error('connection closed'), {} as never);
    const cursor = { sort: () => cursor, skip: () => cursor, limit: () => cursor, toArray: async () => [] };
    const collection = { insertMany: () => Promise.reject(broken), find: () => cursor };
    const repository = new BacktestRepository({ collection: () => collection } as unknown as Db);
    await assert.rejects(repository.add([numberedBacktest(freshUser(), 1)]), broken);
  });

  it('are deleted with their user', async () => {
    const { id } = await context.storage.users.add({
      email: 'x@example.com',
      plan: 'free',
      passwordHash: 'x',
    });
    const other = freshUser();
    await store().add([numberedBacktest(id, 1), numberedBacktest(id, 2), numberedBacktest(other, 1)]);
    assert.equal(await removeUser(context.storage, id), true);
    assert.deepEqual([await idsOf(id), await idsOf(other)], [[], [numberedId(1)]]);
  });
});
