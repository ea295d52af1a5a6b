import assert from 'node:assert/strict';
import type { Trade } from 'ccxt';
import type { AskTrades } from '../../../storage/exchanges/read-trades.js';
import { tradesById } from '../../../storage/exchanges/trades-by-id.js';

const readTrades = tradesById({ pageSize: 10, paramsFrom: (id) => ({ fromId: id }) });

/** An exchange with trades of the ids from `first` to `last`. */
const exchangeOf =
  (first: number, last: number, asked: object[] = []): AskTrades =>
  async (_since, limit, params) => {
    asked.push(params);
    const from = Math.max(first, Number((params as { fromId: string }).fromId));
    const count = Math.min(limit, Math.max(0, last - from + 1));
    return Array.from({ length: count }, (_, n) => ({ id: String(from + n) }) as Trade);
  };

describe('tradesById', () => {
  it('reads the whole history, page by page, and goes on after the last trade', async () => {
    const asked: object[] = [];
    const read = await readTrades(exchangeOf(5, 27, asked), null, 0);
    assert.deepEqual(
      read!.trades.map(({ id }) => Number(id)),
      Array.from({ length: 23 }, (_, n) => n + 5),
    );
    assert.equal(read!.cursor, '28');
    assert.deepEqual(asked, [{ fromId: '0' }, { fromId: '15' }, { fromId: '25' }]);
    assert.deepEqual(await readTrades(exchangeOf(5, 28), '28', 0), { trades: [{ id: '28' }], cursor: '29' });
  });

  it('answers null for a history that takes more than 50 requests', async () => {
    assert.equal((await readTrades(exchangeOf(1, 499), null, 0))!.trades.length, 499);
    assert.equal(await readTrades(exchangeOf(1, 500), null, 0), null);
  });
});
