import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { CircuitBreaker } from '../../../storage/exchanges/circuit-breaker.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

describe('CircuitBreaker', () => {
  const context = temporaryRedis();
  const limits = { failures: 3, pauseMs: 15_000, longestPauseMs: 40_000, trialMs: 20_000 };
  let names = 0;

  /** Two workers' sides of the circuit of one exchange. */
  function open(more: { pauseMs?: number } = {}) {
    const name = `exchange${++names}`;
    return {
      name,
      one: new CircuitBreaker(context.redis, name, { ...limits, ...more }),
      other: new CircuitBreaker(context.another(), name, { ...limits, ...more }),
    };
  }
  async function refusedFor(breaker: CircuitBreaker, ask: 'admit' | 'check' = 'admit'): Promise<number> {
    const error = await breaker[ask]().then(
      () => null,
      (reason: { code: string; details: { retryAfterMs: number } }) => reason,
    );
    if (error === null) return 0;
    assert.equal(error.code, 'exchange_unavailable');
    return error.details.retryAfterMs;
  }
  /** Puts the end of a pause, or of a trial, into the past. */
  const end = (name: string, field: 'openUntil' | 'trialUntil') =>
    context.redis.hset(`tidemark:circuit:${name}`, field, 1);
  const fail = async (breaker: CircuitBreaker, times: number) => {
    for (let n = 0; n < times; n++) await breaker.failed('it does not answer');
  };

  it('admits requests until too many failures in a row, then none of any worker', async () => {
    const { name, one, other } = open();
    await fail(one, 2);
    await other.admit();
    await fail(other, 1);
    for (const breaker of [one, other]) {
      await assert.rejects(breaker.admit(), {
        code: 'exchange_unavailable',
        message: new RegExp(`^requests to ${name} are paused for 1\\d s: it does not answer$`),
      });
      assert.ok((await refusedFor(breaker, 'check')) > 0);
    }
  });

  it('counts only failures in a row', async () => {
    const { one, other } = open();
    for (let n = 0; n < 4; n++) {
      await fail(one, 2);
      await other.succeeded();
    }
    await one.admit();
  });

  it('says whether a success tells anything new', async () => {
    const { one, other } = open();
    assert.equal(await one.admit(), 'clean');
    await fail(one, 1);
    assert.equal(await other.admit(), 'counted');
    await other.succeeded();
    assert.equal(await one.admit(), 'clean');
  });

  it('admits one trial after the pause, and closes when it succeeds', async () => {
    const { one, other } = open({ pauseMs: 100 });
    await fail(one, 3);
    await delay(110);
    const admitted = await Promise.all([one, other, one, other].map((each) => refusedFor(each)));
    assert.equal(admitted.filter((ms) => ms === 0).length, 1);
    // What was admitted may go; that the circuit was open before is no reason to stop it.
    await one.check();
    await one.succeeded();
    assert.deepEqual(await Promise.all([refusedFor(one), refusedFor(other)]), [0, 0]);
  });

  it('pauses for twice as long each time the one that tries fails, up to a limit', async () => {
    const { name, one } = open();
    await fail(one, 3);
    const pauses: number[] = [];
    for (let n = 0; n < 3; n++) {
      pauses.push(await refusedFor(one));
      await end(name, 'openUntil');
      await one.admit();
      await fail(one, 1);
    }
    pauses.push(await refusedFor(one));
    const expected = [15_000, 30_000, 40_000, 40_000];
    assert.ok(
      pauses.every((pause, n) => pause <= expected[n] && pause > expected[n] - 5_000),
      pauses.join(),
    );
  });

  it('lets another try when the one that tries is never heard of again', async () => {
    const { name, one, other } = open();
    await fail(one, 3);
    await end(name, 'openUntil');
    await one.admit();
    const wait = await refusedFor(other);
    assert.ok(wait > 0 && wait <= 1_000, `${wait} ms`);
    await end(name, 'trialUntil');
    await other.admit();
  });

  it('opens at once for as long as the exchange asks, the longest of several', async () => {
    const { one, other } = open();
    await one.failed('too many requests', 40_000);
    await other.failed('too many requests', 10_000);
    const wait = await refusedFor(other);
    assert.ok(wait > 30_000 && wait <= 40_000, `${wait} ms`);
    await assert.rejects(one.check(), { message: / are paused for (3\d|40) s: too many requests$/ });
  });

  it('stays open when a request that was on its way succeeds or fails', async () => {
    const { one, other } = open();
    await one.failed('too many requests', 30_000);
    await other.succeeded();
    await fail(other, 5);
    const wait = await refusedFor(one);
    assert.ok(wait > 20_000 && wait <= 30_000, `${wait} ms`);
  });

  it('is open no longer than its shortest pause while a caller waits for the exchange', async () => {
    const { name, one, other } = open();
    assert.equal(await other.hurry(), false);
    await fail(one, 3);
    for (let n = 0; n < 4; n++) {
      assert.equal(await other.hurry(), false);
      const wait = await refusedFor(one);
      assert.ok(wait > 0 && wait <= limits.pauseMs, `${wait} ms`);
      await end(name, 'openUntil');
      assert.equal(await other.hurry(), true);
      await one.admit();
      await fail(one, 1);
    }
  });

  it('cuts a long pause when a caller begins to wait, unless the exchange asked for it', async () => {
    const { name, one, other } = open();
    await fail(one, 3);
    for (let n = 0; n < 2; n++) {
      await end(name, 'openUntil');
      await one.admit();
      await fail(one, 1);
    }
    assert.ok((await refusedFor(one)) > limits.pauseMs);
    await other.hurry();
    assert.ok((await refusedFor(one)) <= limits.pauseMs);
    await one.failed('too many requests', 60_000);
    await other.hurry();
    assert.ok((await refusedFor(one)) > limits.pauseMs);
  });

  it('leaves nothing behind in Redis once it is closed', async () => {
    const { name, one } = open();
    await fail(one, 1);
    assert.ok((await context.redis.pttl(`tidemark:circuit:${name}`)) > 0);
    await one.succeeded();
    assert.equal(await context.redis.exists(`tidemark:circuit:${name}`), 0);
  });
});
