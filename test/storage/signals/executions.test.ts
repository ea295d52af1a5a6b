import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { clientOrderIdOf } from '../../../storage/signals/client-order-id.js';
import { decodeExecution, encodeExecution } from '../../../storage/signals/execution-json.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { WatchedExecution } from '../../../storage/signals/watched-execution.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../support/signals/make-stored-execution.js';
import { ScriptedExchange } from '../../support/signals/scripted-exchange.js';

describe('ExecutionRepository', () => {
  const temporary = temporaryStorage();
  const executions = () => temporary.storage.executions;
  const now = Date.UTC(2026, 10, 22);

  const added = async (...all: StoredExecution[]) => {
    await executions().addAll(all);
    return all;
  };
  const found = async ({ id }: StoredExecution) => (await executions().ofIds([id])).at(0);

  it('stores an execution once, also when it is stored again, and answers what is stored', async () => {
    const [first] = await added(makeStoredExecution());
    const other = makeStoredExecution();
    const stored = await executions().addAll([other, { ...first, status: 'open' }]);
    assert.deepEqual(stored, [other, first]);
    assert.deepEqual(await found(first), first);
  });

  it('refuses a write over a revision that was not read, and tells which were written', async () => {
    const [one, other] = await added(makeStoredExecution(), makeStoredExecution());
    const next = { ...one, status: 'open' as const, revision: 1 };
    assert.deepEqual(await executions().writeAll([next]), new Set([one.id]));
    const late = { ...one, status: 'cancelled' as const, revision: 1 };
    const both = await executions().writeAll([late, { ...other, revision: 1 }]);
    assert.deepEqual(both, new Set([other.id]));
    assert.deepEqual(await found(one), next);
  });

  it('notes an order that was taken in those executions alone that have not moved on', async () => {
    const order = (leg: string) => ({ ...storedOrder, clientOrderId: `order${leg}` });
    const [one, other] = await added(
      makeStoredExecution({ orders: [order('a')] }),
      makeStoredExecution({ orders: [order('b')] }),
    );
    await executions().wake([other.id], now);
    const acknowledgedAt = new Date(now - 5);
    const opened = { revision: 0, order: 0, acknowledgedAt, dueAt: null };
    assert.deepEqual(await executions().noteOpened([one.id, other.id], opened, now), new Set([one.id]));
    const { orders, revision, dueAt } = (await found(one))!;
    assert.deepEqual([orders[0].status, revision, dueAt], ['open', 1, null]);
    assert.deepEqual(orders[0].acknowledgedAt, acknowledgedAt);
    assert.equal((await found(other))!.orders[0].status, 'sent');
  });

  it('finds what is due by partner and slot', async () => {
    const dueAt = new Date(now - 1);
    const [due, later, idle] = await added(
      makeStoredExecution({ partnerId: 'due', slot: 1, dueAt }),
      makeStoredExecution({ partnerId: 'due', slot: 1, dueAt: new Date(now + 1) }),
      makeStoredExecution({ partnerId: 'due', slot: 1, dueAt: null }),
      makeStoredExecution({ partnerId: 'due', slot: 2, dueAt }),
    );
    const slot = { partnerId: 'due', slot: 1 };
    assert.deepEqual(await executions().dueIds(slot, now, 10), [due.id]);
    assert.deepEqual(await executions().waitingOf([due.id, later.id, idle.id]), [due, later]);
    const slots = (await executions().dueSlots(now)).filter(({ partnerId }) => partnerId === 'due');
    assert.deepEqual(
      slots.sort((one, other) => one.slot - other.slot),
      [slot, { partnerId: 'due', slot: 2 }],
    );
  });

  it('notes a crossing in an execution that goes on, and lets no writer overwrite it', async () => {
    const [open, ended] = await added(makeStoredExecution(), makeStoredExecution({ endedAt: new Date(now) }));
    const tick = { price: '1', high: '2', low: '0.5', since: new Date(now), at: new Date(now) };
    await executions().cross([open.id, ended.id], tick, now);
    assert.deepEqual(await executions().writeAll([{ ...open, revision: 1 }]), new Set());
    assert.deepEqual(await found(open), { ...open, crossings: [tick], dueAt: new Date(now), revision: 1 });
    assert.deepEqual(await found(ended), ended);
  });

  it('passes commands on to those that have not applied them and go on', async () => {
    const signalId = 'passed';
    const [behind] = await added(
      makeStoredExecution({ signalId, commandsDone: 1 }),
      makeStoredExecution({ signalId, commandsDone: 2 }),
      makeStoredExecution({ signalId, endedAt: new Date(now) }),
    );
    const { id, partnerId, slot } = behind;
    assert.deepEqual(await executions().passCommands(signalId, 2, now), [{ id, partnerId, slot }]);
    assert.deepEqual((await found(behind))!.dueAt, new Date(now));
  });

  it('counts executions that go on, by subscription', async () => {
    await added(
      makeStoredExecution({ subscriptionId: 'a' }),
      makeStoredExecution({ subscriptionId: 'a' }),
      makeStoredExecution({ subscriptionId: 'b', endedAt: new Date(now) }),
    );
    assert.deepEqual(await executions().countOpen(['a', 'b', 'none']), new Map([['a', 2]]));
  });

  it('writes executions of different revisions together, and leaves out those that have changed since', async () => {
    const revisions = [0, 3, 3, 7];
    const before = await added(...revisions.map((revision) => makeStoredExecution({ revision })));
    await executions().wake([before[2].id], now);
    const written = await executions().writeAll(
      before.map((each) => ({ ...each, reason: 'written', revision: each.revision + 1 })),
    );
    assert.deepEqual([...written].sort(), [before[0].id, before[1].id, before[3].id].sort());
    const stored = await Promise.all(before.map(found));
    assert.deepEqual(
      stored.map((each) => [each!.revision, each!.reason]),
      [
        [1, 'written'],
        [4, 'written'],
        [4, null],
        [8, 'written'],
      ],
    );
  });

  it('lists the levels of many executions in pages from the second time on, new ones included', async () => {
    const watched = { worse: '90', better: '110', everyTick: false };
    const state = encodeExecution(makeExecution());
    const make = (subscriptionId: string) =>
      makeStoredExecution({ market: 'pages', subscriptionId, watched, state });
    const ids = Array.from({ length: 450 }, (_, n) => `subscription ${n % 300}`);
    const all = await added(...ids.map(make));
    const read = async () => {
      const pages: WatchedExecution[][] = [];
      for await (const page of executions().watchedPages('pages')) pages.push(page);
      return pages;
    };
    await read();
    const news = await added(make('a'), make('subscription 150 and later'), make('z'));
    const pages = await read();
    assert.ok(pages.length >= 3 && Math.max(...pages.map(({ length }) => length)) < 300);
    assert.deepEqual(
      pages.flatMap((page) => page.map(({ id }) => id)).sort(),
      [...all, ...news].map(({ id }) => id).sort(),
    );
  });

  it('lists the levels of a market', async () => {
    const watched = { worse: '90', better: '110', everyTick: false };
    const long = makeExecution();
    const short = makeExecution({ side: 'short' });
    const [one, other] = await added(
      makeStoredExecution({ market: 'levels', watched, state: encodeExecution(long) }),
      makeStoredExecution({ market: 'levels', watched, state: encodeExecution(short) }),
      makeStoredExecution({ market: 'levels', state: encodeExecution(long) }),
    );
    const levels: WatchedExecution[] = [];
    for await (const page of executions().watchedPages('levels')) levels.push(...page);
    const [low, high] = [Decimal.parse('90'), Decimal.parse('110')];
    const shared = {
      pair: 'BTC/USDT',
      partnerId: 'partner',
      slot: 0,
      revision: 0,
      everyTick: false,
      seenMs: null,
      market: 'levels',
    };
    assert.deepEqual(
      levels.map((each) => ({ ...each, low: String(each.low), high: String(each.high) })),
      [
        { id: one.id, ...shared, createdMs: one.createdAt.getTime(), low: String(low), high: String(high) },
        {
          id: other.id,
          ...shared,
          createdMs: other.createdAt.getTime(),
          low: String(high),
          high: String(low),
        },
      ],
    );
  });
});

describe('the JSON of an execution', () => {
  it('holds every decimal as text, and reads as what was written', () => {
    const { execution } = new ScriptedExchange(makeExecution({}, { stopOnExchange: true })).path(
      '100',
      '111',
    );
    const json = encodeExecution(execution);
    assert.deepEqual(JSON.parse(JSON.stringify(json)), json);
    assert.deepEqual(encodeExecution(decodeExecution(json)), json);
    assert.equal(json.position.entered, '9');
    assert.ok(decodeExecution(json).position.entered instanceof Decimal);
    assert.ok(decodeExecution(json).targets.every(({ price }) => price instanceof Decimal));
  });
});

describe('clientOrderIdOf', () => {
  it('is 32 characters that every exchange accepts, and differs with each part', () => {
    const ids = [
      clientOrderIdOf('signal:one', 'entry-1', 1),
      clientOrderIdOf('signal:two', 'entry-1', 1),
      clientOrderIdOf('signal:one', 'entry-2', 1),
      clientOrderIdOf('signal:one', 'entry-1', 2),
    ];
    for (const id of ids) assert.match(id, /^[a-z2-7]{32}$/);
    assert.equal(new Set(ids).size, 4);
    assert.equal(clientOrderIdOf('signal:one', 'entry-1', 1), ids[0]);
  });
});
