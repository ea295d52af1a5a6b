import assert from 'node:assert/strict';
import type { binance as Binance, Order, Trade } from 'ccxt';
import { binanceTradesSince } from '../../../../../storage/exchanges/venues/binance/binance-trades.js';

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 0, 31);
const symbol = 'BTC/USDT:USDT';

/** ccxt's client for futures: an answer has the trades of a week at most, and of the last 180 days. */
function clientWith(trades: readonly Trade[]): { client: Binance; asked: number[] } {
  const asked: number[] = [];
  const client = {
    milliseconds: () => nowMs,
    fetchMyTrades: async (_symbol: string, since: number, limit: number) => {
      asked.push(since);
      assert.ok(nowMs - since <= 180 * dayMs);
      const isInSpan = ({ timestamp: at }: Trade) => at! >= since && at! <= since + 7 * dayMs;
      return trades.filter(isInSpan).slice(0, limit);
    },
    fetchOrders: async (
      _symbol: string,
      _since: undefined,
      _limit: number,
      { orderId }: { orderId: string },
    ) => [{ id: orderId, clientOrderId: orderId === '2' ? 'adl_autoclose' : `own${orderId}` } as Order],
  };
  return { client: client as unknown as Binance, asked };
}

const tradeAt = (id: string, timestamp: number, order = '1') => ({ id, order, timestamp }) as Trade;
const idsOf = (trades: readonly Trade[]) => [...new Set(trades.map(({ id }) => id))];

describe('binanceTradesSince', () => {
  it('finds the trades of futures after weeks without a trade', async () => {
    const { client } = clientWith([tradeAt('a', nowMs - 29 * dayMs), tradeAt('b', nowMs - dayMs, '2')]);
    const found = await binanceTradesSince(client, { account: 'FUTURES', symbol }, nowMs - 30 * dayMs);
    assert.deepEqual(idsOf(found.trades), ['a', 'b']);
    assert.deepEqual([...found.forced], [['2', 'deleveraging']]);
  });

  it('reads full pages to their end', async () => {
    const trades = Array.from({ length: 2_500 }, (_, n) => tradeAt(`${n}`, nowMs - dayMs + n));
    const { client, asked } = clientWith(trades);
    const found = await binanceTradesSince(client, { account: 'FUTURES', symbol }, nowMs - 2 * dayMs);
    assert.deepEqual(idsOf(found.trades), idsOf(trades));
    assert.equal(asked.length, 3);
  });

  it('asks for no more than Binance keeps of futures', async () => {
    const { client, asked } = clientWith([]);
    await binanceTradesSince(client, { account: 'FUTURES', symbol }, 0);
    assert.deepEqual([asked[0], asked.length], [nowMs - 180 * dayMs, 26]);
  });
});
