import assert from 'node:assert/strict';
import fc from 'fast-check';
import { failFast, openRedis } from '../../../storage/servers/redis.js';
import { RequestBudget } from '../../../storage/exchanges/request-budget.js';
import { freePort } from '../../../storage/embedded/free-port.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('RequestBudget', () => {
  const context = temporaryRedis();
  const never = new AbortController().signal;
  let names = 0;
  const fresh = () => `exchange${++names}`;

  it('admits 5 % of a minute at once, then delays each request by its cost', async () => {
    // 5,700 a minute after the burst of 300: 10.53 ms for each unit of cost.
    const budget = new RequestBudget(context.redis, fresh(), 6_000);
    const started = performance.now();
    for (let spent = 0; spent < 300; spent += 100) assert.equal(await budget.reserve(100), 0);
    // The bucket fills again meanwhile.
    const meanwhile = () => performance.now() - started + 2;
    const wait = await budget.reserve(100);
    assert.ok(wait > 1_052 - meanwhile() && wait <= 1_053, `${wait} ms`);
    const next = await budget.reserve(10);
    assert.ok(next > 1_157 - meanwhile() && next <= 1_158 && next <= wait + 106, `${next} ms`);
  });

  it('is one for all that share its name and Redis, and another for another name', async () => {
    const name = fresh();
    const started = performance.now();
    await new RequestBudget(context.redis, name, 6_000).reserve(300);
    const wait = await new RequestBudget(context.another(), name, 6_000).reserve(100);
    assert.ok(wait > 1_050 - (performance.now() - started), `${wait} ms`);
    assert.equal(await new RequestBudget(context.redis, fresh(), 6_000).reserve(100), 0);
  });

  it('never promises more than the budget for any stretch of time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 20, maxLength: 60 }),
        async (costs) => {
          const budget = new RequestBudget(context.redis, fresh(), 1_200);
          const sent: { earliest: number; latest: number; cost: number }[] = [];
          for (const cost of costs.slice(0, 30)) {
            const asked = performance.now();
            const wait = await budget.reserve(cost).catch(() => null);
            if (wait === null) break;
            sent.push({ earliest: asked + wait, latest: performance.now() + wait, cost });
          }
          for (let i = 0; i < sent.length; i++) {
            for (let j = i, sum = 0; j < sent.length; j++) {
              sum += sent[j].cost;
              // A twentieth of the minute at once, the rest of it spread over the minute; waits are whole ms.
              const allowed = 60 + ((sent[j].latest - sent[i].earliest + 2) / 60_000) * 1_140;
              assert.ok(sum <= allowed, `${sum} of ${allowed}`);
            }
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('admits a cost above the burst when the bucket is full, and delays the next requests for it', async () => {
    const budget = new RequestBudget(context.redis, fresh(), 600);
    const started = performance.now();
    assert.equal(await budget.reserve(100), 0);
    const wait = await budget.reserve(1);
    assert.ok(wait > 7_470 - (performance.now() - started), `${wait} ms`);
  });

  it('refuses a wait of more than a minute without taking its cost', async () => {
    const budget = new RequestBudget(context.redis, fresh(), 60);
    await budget.reserve(70);
    const error = {
      code: 'exchange_unavailable',
      message: /^the request budget is used up for the next [67]\d s$/,
    };
    await assert.rejects(budget.reserve(3), error);
    await assert.rejects(budget.reserve(3), error);
  });

  it('waits until the request may go', async () => {
    const budget = new RequestBudget(context.redis, fresh(), 60_000);
    const startedAt = performance.now();
    await budget.take(3_000, never);
    await budget.take(200, never);
    const waited = performance.now() - startedAt;
    assert.ok(waited >= 200, `${waited} ms`);
  });

  it('ends the wait when the signal is aborted', async () => {
    const budget = new RequestBudget(context.redis, fresh(), 600);
    await budget.reserve(300);
    const end = new AbortController();
    const waiting = budget.take(1, end.signal);
    end.abort();
    await assert.rejects(waiting, { code: 'cancelled' });
  });

  it('fails at once when Redis does not answer', async () => {
    const redis = openRedis(`redis://127.0.0.1:${await freePort()}`, failFast);
    try {
      await assert.rejects(new RequestBudget(redis, fresh(), 600).take(1, never), {
        code: 'redis_unavailable',
        message: 'Redis does not answer; try again in a moment',
      });
    } finally {
      redis.disconnect();
    }
  });
});
