import { ExchangeRefusal } from '../book/exchange-refusal.js';
import { candlesOf, minuteMs } from '../book/tick-candles.js';
import { symbolOf, type PairFilters, type TradedPair } from '../book/traded-pair.js';
import { numberIn, required, type Endpoint, type RestCall } from '../rest/rest-call.js';

/** Markets and their prices. */
export const bybitPublicEndpoints: Record<string, Endpoint> = {
  'GET /v5/market/time': ({ nowMs }) => ({ timeSecond: String(Math.floor(nowMs / 1_000)) }),

  'GET /v5/market/instruments-info': (call) => {
    const category = required(call, 'category');
    const pairs = [...call.engine.pairs.values()];
    if (call.params.get('status') === 'PreLaunch') return { category, list: [], nextPageCursor: '' };
    const list =
      category === 'spot' ? pairs.map(spotInstrument) : pairs.filter(({ futures }) => futures).map(contract);
    return { category, list, nextPageCursor: '' };
  },

  // The newest first.
  'GET /v5/market/recent-trade': (call) => ({
    category: required(call, 'category'),
    list: ticksOf(call)
      .map(({ symbol, price, at }, n) => ({
        ...{ execId: `trade-${n}`, symbol, price: String(price), size: '1', side: 'Buy' },
        ...{ time: String(at), isBlockTrade: false },
      }))
      .slice(-60)
      .reverse(),
  }),

  'GET /v5/market/kline': (call) => ({
    ...{ category: required(call, 'category'), symbol: required(call, 'symbol') },
    list: candlesOf(ticksOf(call), minuteMs, numberIn(call, 'start', 0))
      .map(({ startMs, open, high, low, close }) => [String(startMs), open, high, low, close, '1', '1'])
      .reverse(),
  }),

  'GET /v5/market/tickers': (call) => {
    const category = required(call, 'category');
    const only = call.params.get('symbol');
    const symbols = [...call.engine.prices.keys()].filter((symbol) => isListed(call, symbol, category));
    if (only !== null && !symbols.includes(only)) throw new ExchangeRefusal(10001, 'symbol invalid');
    return {
      category,
      list: (only === null ? symbols : [only]).map((symbol) => ticker(call, symbol, category)),
    };
  },
};

const ticksOf = (call: RestCall) => call.engine.ticks.get(required(call, 'symbol')) ?? [];

const isListed = ({ engine }: RestCall, symbol: string, category: string): boolean =>
  category === 'spot' || engine.pairOf(symbol).futures !== null;

function ticker({ engine }: RestCall, symbol: string, category: string): object {
  const price = String(engine.priceOf(symbol));
  return {
    symbol,
    lastPrice: price,
    ...{ bid1Price: price, bid1Size: '2', ask1Price: price, ask1Size: '2' },
    ...{ prevPrice24h: price, price24hPcnt: '0', highPrice24h: price, lowPrice24h: price },
    ...{ turnover24h: '1000000', volume24h: '100' },
    ...(category === 'linear' && { markPrice: price, indexPrice: price, openInterestValue: '1' }),
  };
}

const spotInstrument = ({ base, quote, spot }: TradedPair) => ({
  symbol: symbolOf({ base, quote }),
  baseCoin: base,
  quoteCoin: quote,
  status: 'Trading',
  marginTrading: 'both',
  lotSizeFilter: {
    basePrecision: spot.stepSize,
    quotePrecision: '0.00000001',
    minOrderQty: spot.minQuantity,
    maxOrderQty: '90000',
    minOrderAmt: spot.minNotional,
    maxOrderAmt: '900000000',
    maxMarketOrderQty: spot.maxMarketQuantity ?? '90000',
  },
  priceFilter: { tickSize: spot.tickSize },
  ...riskParameters(spot),
});

const riskParameters = ({ priceLimit }: PairFilters) =>
  priceLimit && { riskParameters: { priceLimitRatioX: priceLimit } };

const contract = ({ base, quote, futures }: TradedPair) => ({
  symbol: symbolOf({ base, quote }),
  contractType: 'LinearPerpetual',
  status: 'Trading',
  baseCoin: base,
  quoteCoin: quote,
  settleCoin: quote,
  launchTime: '1585526400000',
  deliveryTime: '0',
  leverageFilter: { minLeverage: '1', maxLeverage: '100.00' },
  priceFilter: { minPrice: futures!.tickSize, maxPrice: '1999999', tickSize: futures!.tickSize },
  ...riskParameters(futures!),
  lotSizeFilter: {
    maxOrderQty: '1190.000',
    maxMktOrderQty: futures!.maxMarketQuantity ?? '1190.000',
    minOrderQty: futures!.minQuantity,
    qtyStep: futures!.stepSize,
    minNotionalValue: futures!.minNotional,
  },
});
