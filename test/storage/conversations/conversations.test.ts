import assert from 'node:assert/strict';
import { inChunks } from '../../../compute/model/in-chunks.js';
import { MongoServerError, type Collection, type Db } from 'mongodb';
import { mostConversations, type BegunTurn } from '../../../storage/conversations/conversations.js';
import { TokenUseRepository } from '../../../storage/conversations/token-use.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const dayMs = 86_400_000;
// In the future: the database deletes expired documents by its own clock.
const start = Date.parse('2096-03-04T05:06:07.000Z');
const outcome = (n: number, more: { question?: string; answer?: string } = {}) => ({
  question: `Question ${n}?`,
  answer: `Answer ${n}. More of it.`,
  tools: [{ tool: 'get_price', args: {}, asOf: '2096-03-04T05:00:00.000Z', source: 'demo' }],
  state: { last: n },
  ...more,
});
const fault = (code: string) => ({ name: 'AppError', code, details: { field: 'conversationId' } });

describe('conversations', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  let users = 0;
  const freshUser = () => `user-${++users}`;
  const store = () => context.storage.conversations;
  const ask = async (owner: string | null, id: string | null, n: number, now = start + n) => {
    const begun = await store().begin(owner, id, now);
    await store().complete(begun, outcome(n), 90, now);
    return begun.conversation.id;
  };
  const idsOf = async (userId: string, now = start) =>
    (await store().list(userId, { limit: 1_000, now })).conversations.map(({ id }) => id);

  it('keep questions, answers, what they rest on, and what the analyst remembers', async () => {
    const userId = freshUser();
    const id = await ask(userId, null, 1);
    assert.match(id, /^[\w-]{24}$/);
    assert.equal(await ask(userId, id, 2), id);
    const about = {
      id,
      title: 'Question 1?',
      createdAt: new Date(start + 1),
      updatedAt: new Date(start + 2),
      turns: 2,
    };
    const turns = [1, 2].map((n) => {
      const { question, answer, tools } = outcome(n);
      return { turn: n, at: new Date(start + n), question, answer, tools };
    });
    const stored = { ...about, recent: turns, earlier: '', state: { last: 2 } };
    assert.deepEqual(await store().find(userId, id, start), stored);
    assert.deepEqual((await store().begin(userId, id, start)).conversation, stored);
    assert.deepEqual(await store().list(userId, { limit: 5, now: start }), {
      conversations: [about],
      next: null,
    });
  });

  it('are stored together where they begin together, each for its owner, and twice as once', async () => {
    const [userId, other] = [freshUser(), freshUser()];
    const begun = await Promise.all(
      [userId, other, null, userId].map((owner, n) => store().begin(owner, null, start + n)),
    );
    // Half of a surrogate pair spoils no other conversation of the write.
    const question = 'Question \uD83D?';
    const complete = (turn: BegunTurn, n: number) =>
      store().complete(turn, outcome(n, { question }), 90, start);
    await Promise.all(begun.slice(0, 2).map(complete));
    // The answer to the first try was lost.
    await Promise.all(begun.map(complete));
    const ids = begun.map(({ conversation }) => conversation.id);
    assert.deepEqual(new Set(await idsOf(userId)), new Set([ids[0], ids[3]]));
    assert.deepEqual(await idsOf(other), [ids[1]]);
    const { turn, conversation } = await store().begin(null, ids[2], start);
    assert.deepEqual([turn, conversation.recent.map(({ answer }) => answer)], [2, ['Answer 2. More of it.']]);
  });

  it('are unknown to other users and to guests, and those of guests to users', async () => {
    const [userId, other] = [freshUser(), freshUser()];
    const [own, guests] = [await ask(userId, null, 1), await ask(null, null, 1)];
    const unknown = fault('unknown_conversation');
    for (const [owner, id] of [
      [other, own],
      [null, own],
      [userId, guests],
      [userId, '65f0c0ffee65f0c0ffee65f0'],
      [null, '65f0c0ffee65f0c0ffee65f0'],
    ] as const)
      await assert.rejects(store().begin(owner, id, start), unknown);
    for (const id of [own, guests]) {
      await assert.rejects(store().find(other, id, start), unknown);
      await assert.rejects(store().remove(other, id, start), unknown);
    }
    assert.deepEqual(await idsOf(other), []);
    assert.equal(await ask(null, guests, 2), guests);
    assert.equal(await ask(userId, own, 2), own);
  });

  it('answer one message at a time, and a message after one that was given up', async () => {
    const userId = freshUser();
    const id = await ask(userId, null, 1);
    const all = await Promise.allSettled(
      Array.from({ length: 12 }, () => store().begin(userId, id, start + 2)),
    );
    const begun = all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = all.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as { code: string }] : [],
    );
    assert.deepEqual([begun.length, refused.length], [1, 11]);
    assert.deepEqual([...new Set(refused.map(({ code }) => code))], ['conversation_busy']);
    await store().release(begun[0]);
    assert.equal((await store().find(userId, id, start)).turns, 1);
    assert.equal((await store().begin(userId, id, start + 3)).turn, 2);
  });

  it('go on after a process that died, whose late answer is then refused', async () => {
    const userId = freshUser();
    const id = await ask(userId, null, 1);
    const dead = await store().begin(userId, id, start + 2);
    await assert.rejects(store().begin(userId, id, start + 119_999), { code: 'conversation_busy' });
    const next = await store().begin(userId, id, start + 120_002);
    await assert.rejects(store().complete(dead, outcome(2), 90), fault('conversation_busy'));
    await store().release(dead);
    await store().complete(next, outcome(3), 90, start + 3);
    const { turns, recent } = await store().find(userId, id, start);
    assert.deepEqual([turns, recent.map(({ question }) => question)], [2, ['Question 1?', 'Question 3?']]);
  });

  it('leave nothing of a first question that is not answered', async () => {
    const userId = freshUser();
    const begun = await store().begin(userId, null);
    await store().release(begun);
    assert.deepEqual(await idsOf(userId), []);
    await assert.rejects(store().find(userId, begun.conversation.id), fault('unknown_conversation'));
  });

  it('that are deleted during a question stay deleted', async () => {
    const userId = freshUser();
    const id = await ask(userId, null, 1);
    const begun: BegunTurn = await store().begin(userId, id, start + 2);
    await store().remove(userId, id, start + 2);
    await assert.rejects(store().complete(begun, outcome(2), 90), fault('unknown_conversation'));
    assert.deepEqual(await idsOf(userId), []);
  });

  it('keep the latest turns whole and the older ones as a line each, within bounds', async () => {
    const userId = freshUser();
    let id: string | null = null;
    for (let n = 1; n <= 12; n++) id = await ask(userId, id, n);
    const { recent, earlier, turns } = await store().find(userId, id!, start);
    assert.deepEqual(
      recent.map(({ turn }) => turn),
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
    assert.deepEqual([turns, earlier], [12, 'Question 1? -> Answer 1.\nQuestion 2? -> Answer 2.']);

    const long = { question: '\u{1F4C8}'.repeat(2_000), answer: 'x'.repeat(6_000) };
    for (let n = 13; n <= 40; n++) {
      const begun = await store().begin(userId, id, start + n);
      await store().complete(begun, outcome(n, long), 90, start + n);
    }
    const grown = await store().find(userId, id!, start);
    assert.ok(grown.earlier.length <= 2_000 && grown.earlier.length > 1_000);
    assert.ok(JSON.stringify(grown.recent).length < 60_000);
    assert.equal(grown.recent.at(-1)!.turn, 40);
    assert.ok(grown.earlier.split('\n').every((line) => [...line].length <= 284));
  });

  it('are titled by their first question, in 80 code points at most', async () => {
    const userId = freshUser();
    const begun = await store().begin(userId, null, start);
    const question = `  What\n is ${'\u{1F4C8}'.repeat(100)}?`;
    await store().complete(begun, outcome(1, { question }), 90, start);
    const { title } = await store().find(userId, begun.conversation.id, start);
    assert.deepEqual([title, [...title].length], [`What is ${'\u{1F4C8}'.repeat(71)}…`, 80]);
  });

  it('come in pages, the latest first, and the oldest beyond the limit go', async () => {
    const userId = freshUser();
    const ids: string[] = [];
    for (const together of inChunks([...Array(mostConversations).keys()], 50))
      ids.unshift(...(await Promise.all(together.map((n) => ask(userId, null, n, start + n)))).reverse());
    for (let n = 0; n < 3; n++) ids.unshift(await ask(userId, null, n, start + mostConversations + n));
    assert.deepEqual(await idsOf(userId), ids.slice(0, mostConversations));
    const pages: string[] = [];
    let after: string | undefined;
    do {
      const page = await store().list(userId, { limit: 90, after, now: start });
      pages.push(...page.conversations.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after !== undefined);
    assert.deepEqual(pages, ids.slice(0, mostConversations));
  });

  it('expire, those of guests after a day', async () => {
    const userId = freshUser();
    const [own, guests] = [await ask(userId, null, 0), await ask(null, null, 0)];
    await store().release(await store().begin(null, guests, start + dayMs - 1));
    await assert.rejects(store().begin(null, guests, start + dayMs), fault('unknown_conversation'));
    assert.equal((await store().find(userId, own, start + 90 * dayMs - 1)).id, own);
    await assert.rejects(store().find(userId, own, start + 90 * dayMs), fault('unknown_conversation'));
    assert.ok((await context.storage.expiring.drop('conversations', new Date(start + 90 * dayMs))) >= 2);
    assert.deepEqual(await idsOf(userId), []);
  });
});

describe('the use of tokens', () => {
  const context = temporaryStorage();
  const store = () => context.storage.tokenUse;

  it('keeps to its limit with parallel questions, and begins anew each month', async () => {
    const budget = { key: 'user:a', userId: 'a', limit: 1_000 };
    const granted = await Promise.all(Array.from({ length: 30 }, () => store().reserve(budget, 300, start)));
    assert.equal(granted.filter(Boolean).length, 3);
    await store().settle(budget, -250, start);
    assert.equal(await store().used('user:a', start), 650);
    assert.equal(await store().reserve(budget, 300, start), true);
    const nextMonth = Date.parse('2096-04-01T00:00:00.000Z');
    assert.equal(await store().reserve(budget, 300, nextMonth), true);
    // What was reserved last month is settled there.
    await store().settle(budget, 5, start);
    assert.deepEqual(
      [await store().used('user:a', start), await store().used('user:a', nextMonth)],
      [955, 300],
    );
  });

  it('grants the first tokens of a month to two questions that ask at once', async () => {
    const budget = { key: 'service', limit: 1_000 };
    // What MongoDB answers to the second of two equal inserts.
    const insertAfterAnother: Collection['updateOne'] = async (filter, update, options) => {
      if (options?.upsert !== true)
        return context.db.collection('token_use').updateOne(filter, update, options);
      assert.equal(await store().reserve(budget, 300, start), true);
      throw new MongoServerError({ message: 'E11000 duplicate key error', code: 11_000 });
    };
    const db = { collection: () => ({ updateOne: insertAfterAnother }) } as unknown as Db;
    assert.equal(await new TokenUseRepository(db).reserve(budget, 300, start), true);
    assert.equal(await store().used('service', start), 600);
    assert.equal(await new TokenUseRepository(db).reserve(budget, 200, start), false);
    assert.equal(await store().used('service', start), 900);
  });

  it('grants nothing where nothing is allowed', async () => {
    assert.equal(await store().reserve({ key: 'network:b', limit: 0 }, 1, start), false);
    assert.equal(await store().used('network:b', start), 0);
  });
});
