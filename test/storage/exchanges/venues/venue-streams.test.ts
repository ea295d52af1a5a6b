import assert from 'node:assert/strict';
import fc from 'fast-check';
import { venues } from '../../../../storage/exchanges/venues/index.js';

/** Messages as the exchanges document them. */
const samples: Record<string, [message: object, read: unknown][]> = {
  binance: [
    [
      {
        e: 'aggTrade',
        E: 1672515782136,
        s: 'BNBBTC',
        a: 12345,
        p: '0.001',
        q: '100',
        f: 100,
        l: 105,
        T: 1672515782130,
      },
      { trades: [{ marketId: 'BNBBTC', id: '12345', price: '0.001', at: 1672515782130 }] },
    ],
    [{ result: null, id: 3 }, { isTaken: true }],
    [{ error: { code: 2, msg: 'Invalid request' }, id: 3 }, { isTaken: false }],
    [{ e: 'kline', s: 'BNBBTC' }, null],
  ],
  bybit: [
    [
      {
        topic: 'publicTrade.BTCUSDT',
        data: [
          { T: 1672304486865, s: 'BTCUSDT', S: 'Buy', v: '0.001', p: '16578.50', i: '20f43950', BT: false },
          { T: 1672304486866, s: 'BTCUSDT', S: 'Buy', v: '900', p: '16000.00', i: '20f43951', BT: true },
        ],
      },
      { trades: [{ marketId: 'BTCUSDT', id: '20f43950', price: '16578.50', at: 1672304486865 }] },
    ],
    [{ success: true, ret_msg: '', conn_id: '2324', req_id: '1', op: 'subscribe' }, { isTaken: true }],
    [
      { success: false, ret_msg: 'error:handler not found', req_id: '1', op: 'subscribe' },
      { isTaken: false },
    ],
    [{ success: true, ret_msg: 'pong', conn_id: '2324', req_id: '2', op: 'ping' }, 'upkeep'],
    [{ topic: 'orderbook.50.BTCUSDT', data: {} }, null],
  ],
  kucoin: [
    [
      {
        topic: '/market/match:BTC-USDT',
        type: 'message',
        subject: 'trade.l3match',
        data: {
          symbol: 'BTC-USDT',
          price: '67523',
          time: '1729843222921000000',
          tradeId: '11067996711960577',
        },
      },
      { trades: [{ marketId: 'BTC-USDT', id: '11067996711960577', price: '67523', at: 1729843222921 }] },
    ],
    [
      {
        topic: '/contractMarket/execution:XBTUSDTM',
        type: 'message',
        subject: 'match',
        data: { symbol: 'XBTUSDTM', price: '67528.6', ts: 1731898619520000000, tradeId: '1838103672695' },
      },
      { trades: [{ marketId: 'XBTUSDTM', id: '1838103672695', price: '67528.6', at: 1731898619520 }] },
    ],
    [{ id: '1', type: 'welcome' }, 'upkeep'],
    [{ id: '1', type: 'ack' }, { isTaken: true }],
    [{ id: '1', type: 'error', code: 404, data: 'topic is not found' }, { isTaken: false }],
    [{ id: '1', type: 'message', subject: 'trade.ticker', data: {} }, null],
  ],
};

describe('streams of venues', () => {
  for (const { id, stream } of venues) {
    it(`reads the messages of ${id}`, () => {
      assert.deepEqual(
        samples[id].map(([message]) => stream!.read(message)),
        samples[id].map(([, read]) => read),
      );
    });

    it(`reads whatever ${id} sends without an error`, () => {
      const names = [...new Set(samples[id].flatMap(([message]) => Object.keys(message)))];
      const values = fc.oneof(
        fc.jsonValue(),
        fc.constantFrom(
          { toString: 1 },
          [{ toString: 1 }, null],
          'aggTrade',
          'publicTrade.',
          'match',
          'message',
        ),
      );
      const message = fc.dictionary(fc.constantFrom(...names), values);
      fc.assert(
        fc.property(message, (one) => {
          const read = stream!.read(one);
          if (read === null || read === 'upkeep' || !('trades' in read)) return;
          for (const { marketId, price, at } of read.trades)
            assert.deepEqual(
              [marketId, price, at].map((each) => typeof each),
              ['string', 'string', 'number'],
            );
        }),
        { seed: 14, numRuns: 300 },
      );
    });
  }
});
