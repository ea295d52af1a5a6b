import assert from 'node:assert/strict';
import type { Trade } from 'ccxt';
import fc from 'fast-check';
import { readTrades, type AskTrades } from '../../../storage/exchanges/fill-pages.js';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 0, 1);
const trade = (id: string, timestamp: number) => ({ id, timestamp }) as Trade;

/** An exchange that answers for a week at most, with at most so many trades, the oldest or the newest of them. */
const exchangeOf = (trades: Trade[], newestFirst: boolean) => {
  const asked: number[] = [];
  const ask: AskTrades = async (since, limit, params) => {
    const until = (params as { until: number }).until;
    asked.push(until - since!);
    assert.ok(until - since! <= 7 * dayMs);
    const found = trades.filter(({ timestamp }) => timestamp! >= since! && timestamp! <= until);
    return newestFirst ? found.slice(-limit) : found.slice(0, limit);
  };
  return { ask, asked };
};
const ids = (trades: readonly Trade[]) => trades.map(({ id }) => id);

describe('readTrades', () => {
  it('finds every trade of twelve weeks once, however they lie, and later what has come since', async () => {
    const arbitraryTrades = fc
      .array(fc.integer({ min: 0, max: 84 * 24 * 60 }), { maxLength: 250 })
      .map((minutes) =>
        minutes.sort((a, b) => a - b).map((at, n) => trade(`${n}`, nowMs - 84 * dayMs + at * 60_000)),
      );
    const arbitraryTimes = fc.array(fc.integer({ min: 0, max: 84 * 24 * 60 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(arbitraryTrades, fc.boolean(), arbitraryTimes, async (all, newestFirst, minutes) => {
        const visits = [
          ...minutes.sort((a, b) => a - b).map((at) => nowMs - 84 * dayMs + at * 60_000),
          nowMs,
        ];
        const found: Trade[] = [];
        let cursor: string | null = null;
        for (const visitMs of visits) {
          const soFar = all.filter(({ timestamp }) => timestamp! <= visitMs);
          const read = await readTrades(
            { id: 'kucoin' },
            exchangeOf(soFar, newestFirst).ask,
            cursor,
            visitMs,
          );
          found.push(...read!.trades);
          cursor = read!.cursor;
        }
        assert.deepEqual(ids(found), ids(all));
      }),
      { numRuns: 100 },
    );
  });

  it('asks little where nothing has happened for long', async () => {
    const { ask, asked } = exchangeOf([trade('1', nowMs - 80 * dayMs)], false);
    const read = await readTrades({ id: 'kucoin' }, ask, null, nowMs);
    assert.equal(read!.trades.length, 1);
    asked.length = 0;
    assert.deepEqual((await readTrades({ id: 'kucoin' }, ask, read!.cursor, nowMs + 60_000))!.trades, []);
    assert.equal(asked.length, 1);
  });

  it('halves the time it asks for where an answer is full', async () => {
    const crowded = Array.from({ length: 400 }, (_, n) => trade(`${n}`, nowMs - dayMs + n * 60_000));
    for (const newestFirst of [true, false]) {
      const { ask, asked } = exchangeOf(crowded, newestFirst);
      const read = await readTrades({ id: 'bybit' }, ask, null, nowMs);
      assert.deepEqual(ids(read!.trades), ids(crowded));
      assert.ok(asked.some((ms) => ms < dayMs) && asked.length < 40, `${asked.length} requests`);
    }
  });

  it('gives up a history that takes more requests than it may', async () => {
    const endless = Array.from({ length: 20_000 }, (_, n) => trade(`${n}`, nowMs - 80 * dayMs + n * 300_000));
    const { ask, asked } = exchangeOf(endless, false);
    assert.equal(await readTrades({ id: 'bybit' }, ask, null, nowMs), null);
    assert.equal(asked.length, 50);
    const full: AskTrades = async (_since, limit) =>
      Array.from({ length: limit }, (_, n) => trade(`${n}`, 1));
    assert.equal(await readTrades({ id: 'binance' }, full, null, nowMs), null);
  });
});
