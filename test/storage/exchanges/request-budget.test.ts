import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { ExchangeKey } from '../../../storage/exchanges/open-ccxt.js';
import { failFast, openRedis } from '../../../storage/servers/redis.js';
import { RequestBudget } from '../../../storage/exchanges/request-budget.js';
import {
  urgencyShares,
  type CcxtRequest,
  type RequestLimit,
  type Urgency,
} from '../../../storage/exchanges/request-limit.js';
import { freePort } from '../../../storage/embedded/child-server.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const key: ExchangeKey = { apiKey: 'the key', secret: 'the secret', passphrase: null };

const weight: RequestLimit = {
  name: 'weight',
  scope: 'address',
  counts: /^private /,
  unitsPerCost: 5,
  most: 1_000,
  windowMs: 60_000,
  told: { used: 'x-used' },
};
const orders: RequestLimit = {
  name: 'orders',
  scope: 'account',
  counts: /POST order$/,
  isByEndpoint: true,
  most: 10,
  windowMs: 60_000,
  told: { most: 'x-most', left: 'x-left' },
};

describe('RequestBudget', () => {
  const context = temporaryRedis();
  let names = 0;
  const fresh = () => `exchange${++names}`;
  const request = (units: number, name = 'private GET order') => ({ name, cost: units / 5, params: {} });
  const of = (limits: readonly RequestLimit[], name = fresh(), redis = context.redis) =>
    new RequestBudget(redis, name, limits);

  /** Whether a request finds room at once. */
  const fits = async (budget: RequestBudget, urgency: Urgency, asked = request(1), owner?: ExchangeKey) =>
    (await budget.take(asked, urgency, owner)) === 0;
  /** Asks until there is room; answers when the last question was asked. */
  const turn = async (budget: RequestBudget, urgency: Urgency, asked: CcxtRequest): Promise<number> => {
    for (;;) {
      const askedAt = performance.now();
      const waitMs = await budget.take(asked, urgency);
      if (waitMs === 0) return askedAt;
      await delay(waitMs);
    }
  };
  /** How many units a class finds at once, ten at a time. */
  const roomFor = async (budget: RequestBudget, urgency: Urgency) => {
    for (let units = 0; ; units += 10) if (!(await fits(budget, urgency, request(10)))) return units;
  };

  it('leaves each class units that no lower one takes, and polling a tenth', async () => {
    const budget = of([weight]);
    // Up to 10, 60, 90, 92, 94 and 100 % of it.
    assert.equal(await roomFor(budget, 'poll'), 100);
    assert.equal(await roomFor(budget, 'compare'), 500);
    assert.equal(await roomFor(budget, 'decide'), 300);
    assert.equal(await roomFor(budget, 'lookUp'), 20);
    assert.equal(await roomFor(budget, 'enter'), 20);
    assert.equal(await roomFor(budget, 'protect'), 60);
    for (const urgency of Object.keys(urgencyShares) as Urgency[])
      assert.equal(await fits(budget, urgency, request(10)), false);

    const other = of([weight]);
    assert.equal(await roomFor(other, 'protect'), 900);
    assert.equal(await roomFor(other, 'poll'), 100);
  });

  it('gives streams a tenth beside that of polling, while the others leave it', async () => {
    const budget = of([weight]);
    assert.equal(await roomFor(budget, 'stream'), 100);
    assert.equal(await roomFor(budget, 'poll'), 100);
    assert.equal(await roomFor(budget, 'protect'), 800);
    const busy = of([weight]);
    assert.equal(await roomFor(busy, 'decide'), 800);
    assert.equal(await roomFor(busy, 'stream'), 0);
    assert.equal(await roomFor(busy, 'enter'), 40);
  });

  it('is one for all that share its name and Redis, and another for another name', async () => {
    const name = fresh();
    await roomFor(of([weight], name), 'protect');
    assert.equal(await fits(of([weight], name, context.another()), 'protect'), false);
    assert.equal(await fits(of([weight]), 'protect'), true);
  });

  it('counts requests for each limit that names them, by account and endpoint where the exchange does', async () => {
    const budget = of([weight, orders]);
    const order = request(1, 'private POST order');
    for (let n = 0; n < 9; n++) assert.equal(await fits(budget, 'protect', order, key), true);
    assert.equal(await fits(budget, 'protect', order, key), false);
    // A refused request counts for none of its limits.
    assert.equal(await roomFor(budget, 'protect'), 890);
    const free = of([orders]);
    for (let n = 0; n < 9; n++) await fits(free, 'protect', order, key);
    assert.equal(await fits(free, 'protect', order, { ...key, secret: 'another' }), true);
    assert.equal(await fits(free, 'protect', request(1, 'other POST order'), key), true);
    assert.equal(await fits(free, 'protect', request(1, 'public GET time')), true);
  });

  it('never admits more than a limit in any span of its window, over processes', async () => {
    const short = { ...weight, unitsPerCost: 1, windowMs: 300 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 10, max: 200 }), { minLength: 10, maxLength: 25 }),
        async (costs) => {
          const name = fresh();
          const budgets = [of([short], name), of([short], name, context.another())];
          const sent = await Promise.all(
            costs.map(async (cost, n) => {
              const from = await turn(budgets[n % 2], 'protect', { name: 'private GET x', cost, params: {} });
              return { from, to: performance.now(), cost };
            }),
          );
          for (const { from } of sent) {
            const within = sent.filter((each) => each.from >= from && each.to <= from + 300);
            const sum = within.reduce((all, { cost }) => all + cost, 0);
            assert.ok(sum <= 900, `${sum} of 900`);
          }
        },
      ),
      { numRuns: 5 },
    );
  });

  it('admits what is urgent first when units are free again', async () => {
    const short = { ...weight, unitsPerCost: 1, most: 100, windowMs: 400 };
    const budget = of([short]);
    await fits(budget, 'protect', { name: 'private GET x', cost: 90, params: {} });
    const ended: Urgency[] = [];
    const asked = async (urgency: Urgency) => {
      await turn(budget, urgency, { name: 'private GET x', cost: 40, params: {} });
      ended.push(urgency);
    };
    await Promise.all((['decide', 'decide', 'decide', 'enter', 'protect'] as const).map(asked));
    assert.deepEqual(ended.slice(0, 2), ['protect', 'enter']);
  });

  it('admits a request that costs more than its share while nothing is used', async () => {
    const budget = of([weight]);
    assert.equal(await fits(budget, 'poll', request(900)), true);
    assert.equal(await fits(budget, 'protect', request(101)), false);
  });

  it('counts what the exchange tells that others have used, and its own requests once', async () => {
    const budget = of([weight]);
    await fits(budget, 'decide', request(100));
    await budget.tell(request(100), new Headers({ 'x-used': '90' }));
    await budget.tell(request(100), new Headers({ 'x-used': 'many' }));
    await budget.tell(request(100), new Headers({ 'x-used': '600' }));
    assert.equal(await roomFor(budget, 'protect'), 300);

    const left = of([orders]);
    const order = request(1, 'private POST order');
    // Eight of its twenty are used: the exchange allows this account more than others.
    await left.tell(order, new Headers({ 'x-most': '20', 'x-left': '12' }), key);
    assert.equal(await fits(left, 'protect', order, key), true);
    assert.equal(await fits(left, 'protect', order, key), false);
  });

  it('reserves nothing for what waits', async () => {
    const budget = of([{ ...weight, windowMs: 400 }]);
    await roomFor(budget, 'protect');
    for (let n = 0; n < 20; n++) assert.equal(await fits(budget, 'decide', request(500)), false);
    await until('there is room again', async () => (await roomFor(budget, 'protect')) === 900);
  });

  it('fails at once when Redis does not answer', async () => {
    const redis = openRedis(`redis://127.0.0.1:${await freePort()}`, failFast);
    try {
      await assert.rejects(of([weight], fresh(), redis).take(request(1), 'poll'), {
        code: 'redis_unavailable',
        message: 'Redis does not answer; try again in a moment',
      });
    } finally {
      redis.disconnect();
    }
  });

  describe('the pause of a key', () => {
    const asking = (budget: RequestBudget, given: Partial<ExchangeKey> = {}) =>
      budget.take(request(1), 'protect', { ...key, ...given });

    it('holds for the key in every process, and for nothing else', async () => {
      const name = fresh();
      await of([], name).pause(request(1), key, 60_000, 'too many requests');
      await assert.rejects(
        asking(of([], name, context.another())),
        ({ details, message }: { details: { retryAfterMs: number }; message: string }) => {
          const seconds = Math.ceil(details.retryAfterMs / 1_000);
          assert.ok(seconds > 0 && seconds <= 60);
          return (
            message === `requests with this key to ${name} are paused for ${seconds} s: too many requests`
          );
        },
      );
      // Another user who knows the key and not its secret cannot pause it.
      await asking(of([], name), { apiKey: 'another' });
      await asking(of([], name), { secret: 'a guess' });
      await asking(of([]));
    });

    it('ends by itself, and is not shortened by a shorter one', async () => {
      const budget = of([]);
      await budget.pause(request(1), key, 400, 'first');
      await budget.pause(request(1), key, 50, 'second');
      await assert.rejects(asking(budget), { message: /: first$/ });
      await until('it ends', () =>
        asking(budget).then(
          () => true,
          () => false,
        ),
      );
    });

    it('stores neither key nor secret', async () => {
      await context.redis.flushdb();
      await of([], 'bybit').pause(request(1), key, 60_000, 'too many requests');
      const [name, ...more] = await context.redis.keys('*');
      assert.match(name, /^tidemark:key-pause:bybit:[\w-]{43}$/);
      assert.deepEqual([more, await context.redis.get(name)], [[], 'too many requests']);
    });
  });
});
