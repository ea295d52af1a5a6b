import { Decimal } from '../../../../compute/model/decimal.js';
import { numberIn, required, type Endpoint, type RestCall } from '../rest/rest-call.js';
import { candlesOf, minuteMs } from '../book/tick-candles.js';
import { kucoinToken } from '../sockets/kucoin-sockets.js';
import { bullet } from './kucoin-orders.js';
import { bookSymbolOf, contractIdOf, contractsIn, multiplierOf, spotIdOf } from './kucoin-symbols.js';

const pairsOf = ({ engine }: RestCall) => [...engine.pairs.values()];

const pricedPairs = ({ engine }: RestCall) =>
  [...engine.prices].map(([symbol, price]) => ({ pair: engine.pairOf(symbol), price: String(price) }));

const ticksOf = (call: RestCall) => call.engine.ticks.get(bookSymbolOf(call, required(call, 'symbol'))) ?? [];

/** Trades, the newest first; times are in nanoseconds. */
const tradesOf = (call: RestCall) =>
  ticksOf(call)
    .map(({ price, at }, n) => ({
      sequence: String(n),
      price: String(price),
      side: 'buy',
      nanoseconds: `${at}000000`,
    }))
    .slice(-100)
    .reverse();

/** Markets and their prices. */
export const kucoinPublicEndpoints: Record<string, Endpoint> = {
  'GET /api/v1/timestamp': ({ nowMs }) => Math.floor(nowMs),

  'POST /api/v1/bullet-public': bullet(() => kucoinToken),

  'GET /api/v3/currencies': (call) =>
    [...new Set(pairsOf(call).flatMap(({ base, quote }) => [base, quote]))].map((currency) => ({
      ...{ currency, name: currency, fullName: currency, precision: 8, chains: [] },
      isMarginEnabled: true,
    })),

  'GET /api/v2/symbols': (call) =>
    pairsOf(call).map((pair) => ({
      symbol: spotIdOf(pair),
      name: spotIdOf(pair),
      ...{ baseCurrency: pair.base, quoteCurrency: pair.quote, market: 'USDS' },
      baseMinSize: pair.spot.minQuantity,
      baseMaxSize: '100000000',
      quoteMinSize: pair.spot.minNotional,
      quoteMaxSize: '999999999',
      baseIncrement: pair.spot.stepSize,
      quoteIncrement: '0.000001',
      priceIncrement: pair.spot.tickSize,
      priceLimitRate: pair.spot.priceLimit,
      ...{ isMarginEnabled: true, enableTrading: true },
    })),

  'GET /api/v1/market/histories': (call) =>
    tradesOf(call).map(({ nanoseconds, ...trade }) => ({ ...trade, size: '1', time: Number(nanoseconds) })),

  'GET /api/v1/trade/history': (call) =>
    tradesOf(call).map(({ nanoseconds, ...trade }) => ({
      ...{ ...trade, tradeId: `trade ${trade.sequence}`, size: 1 },
      ts: Number(nanoseconds),
    })),

  // The newest first, with the close before the extremes.
  'GET /api/v1/market/candles': (call) =>
    candlesOf(ticksOf(call), minuteMs, numberIn(call, 'startAt', 0) * 1_000)
      .map((each) => [String(each.startMs / 1_000), each.open, each.close, each.high, each.low, '1', '1'])
      .reverse(),

  'GET /api/v1/kline/query': (call) =>
    candlesOf(ticksOf(call), minuteMs, numberIn(call, 'from', 0)).map(({ startMs, open, high, low, close }) =>
      [startMs, open, high, low, close, 1].map(Number),
    ),

  'GET /api/v1/market/allTickers': (call) => ({
    time: Math.floor(call.nowMs),
    ticker: pricedPairs(call).map(({ pair, price }) => ({
      symbol: spotIdOf(pair),
      ...{ buy: price, sell: price, last: price, high: price, low: price },
      ...{ changeRate: '0', changePrice: '0', vol: '1', volValue: '1' },
      ...{ takerFeeRate: '0.001', makerFeeRate: '0.001', takerCoefficient: '1', makerCoefficient: '1' },
    })),
  }),

  'GET /api/v1/contracts/active': (call) =>
    pairsOf(call)
      .filter(({ futures }) => futures)
      .map((pair) => ({
        symbol: contractIdOf(pair),
        type: 'FFWCSX',
        ...{ baseCurrency: pair.base === 'BTC' ? 'XBT' : pair.base, quoteCurrency: pair.quote },
        settleCurrency: pair.quote,
        firstOpenDate: 1_585_555_200_000,
        expireDate: null,
        maxOrderQty: 1_000_000,
        marketMaxOrderQty: contractsIn(Decimal.read(pair.futures!.maxMarketQuantity ?? '90000'), pair),
        maxPrice: 1_000_000,
        lotSize: 1,
        tickSize: Number(pair.futures!.tickSize),
        multiplier: Number(String(multiplierOf(pair))),
        ...{ isInverse: false, status: 'Open', nextFundingRateTime: 3_600_000, maxLeverage: 125 },
        ...{ makerFeeRate: 0.0002, takerFeeRate: 0.0006 },
      })),

  // The time of a contract is that of its last trade, in nanoseconds.
  'GET /api/v1/allTickers': (call) =>
    pricedPairs(call)
      .filter(({ pair }) => pair.futures)
      .map(({ pair, price }) => ({ symbol: contractIdOf(pair), price, size: 1, ts: 1_000_000_000 })),
};
