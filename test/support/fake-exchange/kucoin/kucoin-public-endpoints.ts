import type { Endpoint, RestCall } from '../rest/rest-call.js';
import { contractIdOf, multiplierOf, spotIdOf } from './kucoin-symbols.js';

const pairsOf = ({ engine }: RestCall) => [...engine.pairs.values()];

const pricedPairs = ({ engine }: RestCall) =>
  [...engine.prices].map(([symbol, price]) => ({ pair: engine.pairOf(symbol), price: String(price) }));

/** Markets and their prices. */
export const kucoinPublicEndpoints: Record<string, Endpoint> = {
  'GET /api/v1/timestamp': ({ nowMs }) => Math.floor(nowMs),

  'GET /api/v3/currencies': (call) =>
    [...new Set(pairsOf(call).flatMap(({ base, quote }) => [base, quote]))].map((currency) => ({
      ...{ currency, name: currency, fullName: currency, precision: 8, chains: [] },
      ...{ isMarginEnabled: true, isDebitEnabled: true },
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
      ...{ isMarginEnabled: true, enableTrading: true, minFunds: pair.spot.minNotional },
    })),

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
