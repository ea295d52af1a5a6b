import assert from 'node:assert/strict';
import type { Trade } from 'ccxt';
import fc from 'fast-check';
import type { AskTrades } from '../../../storage/exchanges/read-trades.js';
import { tradesByTime } from '../../../storage/exchanges/trades-by-time.js';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 0, 1);
const readTrades = tradesByTime({ pageSize: 100, windowDays: 7, historyDays: 84 });
const trade = (id: string, timestamp: number) => ({ id, timestamp }) as Trade;

/** An exchange that serves a week at most and at most `limit` trades, the oldest or the newest of the week. */
const exchangeOf = (trades: Trade[], newestFirst: boolean) => {
  const asked: number[] = [];
  const ask: AskTrades = async (since, limit, params) => {
    const until = (params as { until: number }).until;
    asked.push(until - since!);
    assert.ok(until - since! <= 7 * dayMs);
    assert.ok(Number.isInteger(until), `${until} is not a whole number of milliseconds`);
    const found = trades.filter(({ timestamp }) => timestamp! >= since! && timestamp! <= until);
    return newestFirst ? found.slice(-limit) : found.slice(0, limit);
  };
  return { ask, asked };
};
const ids = (trades: readonly Trade[]) => trades.map(({ id }) => id);

describe('tradesByTime', () => {
  it('finds every trade of twelve weeks once, and new trades on later visits', async () => {
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
          const read = await readTrades(exchangeOf(soFar, newestFirst).ask, cursor, visitMs);
          found.push(...read!.trades);
          cursor = read!.cursor;
        }
        assert.deepEqual(ids(found), ids(all));
      }),
      { numRuns: 100 },
    );
  });

  it('sends further parameters with each request', async () => {
    const sent: object[] = [];
    const read = tradesByTime({ pageSize: 100, windowDays: 7, historyDays: 7, params: { pageSize: 100 } });
    await read(async (_since, _limit, params) => (sent.push(params), []), null, nowMs);
    assert.deepEqual(sent, [{ until: nowMs, pageSize: 100 }]);
  });

  it('sends one request where little has happened since the last visit', async () => {
    const { ask, asked } = exchangeOf([trade('1', nowMs - 80 * dayMs)], false);
    const read = await readTrades(ask, null, nowMs);
    assert.equal(read!.trades.length, 1);
    asked.length = 0;
    assert.deepEqual((await readTrades(ask, read!.cursor, nowMs + 60_000))!.trades, []);
    assert.equal(asked.length, 1);
  });

  it('halves the span of a full page', async () => {
    const crowded = Array.from({ length: 400 }, (_, n) => trade(`${n}`, nowMs - dayMs + n * 60_000));
    for (const newestFirst of [true, false]) {
      const { ask, asked } = exchangeOf(crowded, newestFirst);
      const read = await readTrades(ask, null, nowMs);
      assert.deepEqual(ids(read!.trades), ids(crowded));
      assert.ok(asked.some((ms) => ms < dayMs) && asked.length < 40, `${asked.length} requests`);
    }
  });

  it('asks for whole milliseconds, however short the span becomes', async () => {
    const crowded = Array.from({ length: 200 }, (_, n) => trade(`${n}`, nowMs - dayMs + n * 1_000));
    const { ask, asked } = exchangeOf(crowded, false);
    const readWeek = tradesByTime({ pageSize: 100, windowDays: 7, historyDays: 7 });
    const read = await readWeek(ask, null, nowMs);
    assert.deepEqual(ids(read!.trades), ids(crowded));
    assert.ok(asked.some((ms) => ms < 150_000));
  });

  it('continues the list after a full page where the exchange says how', async () => {
    const swept = Array.from({ length: 350 }, (_, n) => trade(`${n}`, nowMs - dayMs));
    const exchange = exchangeOf(swept, false);
    const read = tradesByTime({
      ...{ pageSize: 100, windowDays: 7, historyDays: 7 },
      after: (page) => ({ params: { skipped: Number(page.at(-1)!.id) + 1 } }),
    });
    const ask: AskTrades = async (since, limit, params) => {
      const { skipped = 0 } = params as { skipped?: number };
      return (await exchange.ask(since, 1_000, params)).slice(skipped, skipped + limit);
    };
    assert.deepEqual(ids((await read(ask, null, nowMs))!.trades), ids(swept));
    assert.equal(exchange.asked.length, 4);
  });

  it('takes a full page as whole where the exchange says that nothing follows', async () => {
    const all = Array.from({ length: 100 }, (_, n) => trade(`${n}`, nowMs - dayMs));
    const { ask, asked } = exchangeOf(all, false);
    const after = () => 'nothing' as const;
    const read = tradesByTime({ pageSize: 100, windowDays: 7, historyDays: 7, after });
    assert.equal((await read(ask, null, nowMs))!.trades.length, 100);
    assert.equal(asked.length, 1);
  });

  it('answers null where one millisecond has more trades than a page, and nothing says what follows', async () => {
    const swept = Array.from({ length: 150 }, (_, n) => trade(`${n}`, nowMs - 1_000));
    const read = tradesByTime({ pageSize: 100, windowDays: 1, historyDays: 1 });
    assert.equal(await read(exchangeOf(swept, false).ask, null, nowMs), null);
  });

  it('answers null for a history that takes more than 50 requests', async () => {
    const endless = Array.from({ length: 20_000 }, (_, n) => trade(`${n}`, nowMs - 80 * dayMs + n * 300_000));
    const { ask, asked } = exchangeOf(endless, false);
    assert.equal(await readTrades(ask, null, nowMs), null);
    assert.equal(asked.length, 50);
  });
});
