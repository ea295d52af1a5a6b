import { dayOfCandles, hoursOfCandles } from '../book/candle-answers.js';
import type { BookTick } from '../book/matching-engine.js';
import { priceBounds } from '../book/check-request.js';
import { candleOf, candlesOf } from '../book/tick-candles.js';
import { symbolOf, type PairFilters, type TradedPair } from '../book/traded-pair.js';
import { numberIn, required, type Endpoint, type RestCall } from './rest-call.js';

/** Public data that spot and futures answer alike, below paths such as `/api/v3`. */
export const publicEndpoints = (path: string): Record<string, Endpoint> => ({
  [`GET ${path}/ping`]: () => ({}),
  [`GET ${path}/time`]: ({ nowMs }) => ({ serverTime: Math.floor(nowMs) }),
  [`GET ${path}/ticker/price`]: (call) => bySymbol(call, priceRow),
  [`GET ${path}/ticker/24hr`]: (call) => bySymbol(call, dayRow(path === '/fapi/v1')),
  [`GET ${path}/ticker/bookTicker`]: (call) => bySymbol(call, bookRow),
  [`GET ${path}/trades`]: (call) =>
    ticksOf(call)
      .slice(-numberIn(call, 'limit', 500))
      .map((tick, id) => {
        const [price, qty] = [String(tick.price), String(tick.quantity ?? 1)];
        return { id, price, qty, quoteQty: price, time: tick.at, isBuyerMaker: false };
      }),
  [`GET ${path}/aggTrades`]: (call) => {
    const startMs = numberIn(call, 'startTime', 0);
    const rows = ticksOf(call).map(({ price, quantity, at }, a) => ({
      ...{ a, p: String(price), q: String(quantity ?? 1), f: a, l: a, T: at, m: false, M: true },
    }));
    return rows.filter(({ T }) => T >= startMs).slice(0, numberIn(call, 'limit', 500));
  },
  [`GET ${path}/depth`]: (call) => {
    const price = String(call.engine.priceOf(required(call, 'symbol')));
    return { lastUpdateId: 1, bids: [[price, '1000']], asks: [[price, '1000']] };
  },
  [`GET ${path}/klines`]: klines,
});

export const exchangeInfoEndpoints: Record<string, Endpoint> = {
  'GET /api/v3/exchangeInfo': ({ engine, nowMs }) => ({
    ...{ timezone: 'UTC', serverTime: Math.floor(nowMs), rateLimits: [] },
    symbols: [...engine.pairs.values()].map((pair) => spotSymbol(pair, engine.halted.has(symbolOf(pair)))),
  }),
  'GET /fapi/v1/exchangeInfo': ({ engine, nowMs }) => ({
    ...{ timezone: 'UTC', serverTime: Math.floor(nowMs), rateLimits: [] },
    symbols: [...engine.pairs.values()].filter(({ futures }) => futures).map(futuresSymbol),
  }),
  'GET /fapi/v1/premiumIndex': (call) => {
    const symbol = required(call, 'symbol');
    const price = String(call.engine.priceOf(symbol));
    const at = Math.floor(call.nowMs);
    return {
      ...{ symbol, markPrice: price, indexPrice: price, lastFundingRate: '0.00010000' },
      ...{ nextFundingTime: at, time: at },
    };
  },
  'GET /sapi/v1/system/status': () => ({ status: 0, msg: 'normal' }),
};

function bySymbol(call: RestCall, row: (symbol: string, call: RestCall) => object): object {
  const { params, engine } = call;
  const symbol = params.get('symbol');
  if (symbol !== null) {
    engine.priceOf(symbol);
    return row(symbol, call);
  }
  const some = params.get('symbols');
  const priced = [...engine.pairs].filter(([each, { candles }]) => candles ?? engine.prices.has(each));
  const symbols = some === null ? priced.map(([each]) => each) : (JSON.parse(some) as string[]);
  for (const each of symbols) if (!engine.pairOf(each).candles) engine.priceOf(each);
  return symbols.map((each) => row(each, call));
}

const priceOf = (symbol: string, { engine }: RestCall): string => String(engine.priceOf(symbol));

const lastAt = (symbol: string, { engine }: RestCall) => engine.ticks.get(symbol)?.at(-1)?.at;

const priceRow = (symbol: string, call: RestCall) => ({
  ...{ symbol, price: priceOf(symbol, call), time: lastAt(symbol, call) },
});

const bookAt = (price: string) => ({ bidPrice: price, bidQty: '1000', askPrice: price, askQty: '1000' });

const bookRow = (symbol: string, call: RestCall) => ({
  ...{ symbol, ...bookAt(priceOf(symbol, call)), time: lastAt(symbol, call) },
});

/** What a symbol traded in a day. Futures tell neither bid nor ask in these rows: ccxt knows them by that. */
const dayRow =
  (isFutures: boolean) =>
  (symbol: string, call: RestCall): object => {
    const ticks = call.engine.ticks.get(symbol) ?? [];
    const { candles, turnover = 1_000_000_000 } = call.engine.pairOf(symbol);
    const day = candles && dayOfCandles(candles, call.nowMs);
    const range = ticks.length > 0 ? candleOf(ticks.map(({ price }) => price)) : null;
    const price = day?.price ?? priceOf(symbol, call);
    const open = day?.open ?? range?.open ?? price;
    const at = ticks.at(-1)?.at ?? call.nowMs;
    return {
      ...{ symbol, lastPrice: price, openPrice: open, weightedAvgPrice: price },
      ...(!isFutures && { ...bookAt(price), prevClosePrice: open }),
      priceChange: String(Number(price) - Number(open)),
      priceChangePercent: ((Number(price) / Number(open) - 1) * 100).toFixed(3),
      ...{ highPrice: range?.high ?? price, lowPrice: range?.low ?? price },
      ...{ volume: '1000000', quoteVolume: String(turnover) },
      ...{ openTime: at - 86_400_000, closeTime: at, count: ticks.length },
    };
  };

const ticksOf = (call: RestCall): readonly BookTick[] =>
  call.engine.ticks.get(required(call, 'symbol')) ?? [];

const spansMs: Record<string, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** Candles of the ticks that are kept. */
function klines(call: RestCall): unknown[] {
  const spanMs = spansMs[required(call, 'interval')] ?? 60_000;
  const startMs = numberIn(call, 'startTime', 0);
  const limit = Math.min(1_000, numberIn(call, 'limit', 500));
  const { candles } = call.engine.pairOf(required(call, 'symbol'));
  if (candles) return hoursOfCandles(candles, { startMs, limit, nowMs: call.nowMs });
  return candlesOf(ticksOf(call), spanMs, startMs)
    .slice(0, limit)
    .map(({ startMs: time, open, high, low, close, count }) => [
      ...[time, open, high, low, close, '1', time + spanMs - 1, '1', count, '0', '0', '0'],
    ]);
}

const priceFilter = ({ tickSize }: PairFilters) => ({
  filterType: 'PRICE_FILTER',
  minPrice: tickSize,
  maxPrice: '1000000.00000000',
  tickSize,
});

const lotSize = (filterType: string, { stepSize, minQuantity: minQty, ...more }: PairFilters) => ({
  filterType,
  minQty,
  maxQty: (filterType === 'MARKET_LOT_SIZE' ? more.maxMarketQuantity : undefined) ?? '90000.00000000',
  stepSize,
});

const spotSymbol = ({ base, quote, spot, status = 'TRADING' }: TradedPair, isHalted: boolean) => ({
  symbol: symbolOf({ base, quote }),
  status: isHalted ? 'BREAK' : status,
  baseAsset: base,
  baseAssetPrecision: 8,
  quoteAsset: quote,
  quotePrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT'],
  isMarginTradingAllowed: true,
  filters: [
    priceFilter(spot),
    lotSize('LOT_SIZE', spot),
    lotSize('MARKET_LOT_SIZE', spot),
    {
      filterType: 'PERCENT_PRICE_BY_SIDE',
      bidMultiplierUp: String(priceBounds.spot.up),
      bidMultiplierDown: String(priceBounds.spot.down),
      askMultiplierUp: String(priceBounds.spot.up),
      askMultiplierDown: String(priceBounds.spot.down),
    },
    { filterType: 'NOTIONAL', minNotional: spot.minNotional, maxNotional: '9000000.00000000' },
  ],
});

const decimalsOf = (step: string): number => step.split('.')[1]?.length ?? 0;

const futuresSymbol = ({ base, quote, futures }: TradedPair) => ({
  symbol: symbolOf({ base, quote }),
  pair: symbolOf({ base, quote }),
  contractType: 'PERPETUAL',
  deliveryDate: 4_133_404_800_000,
  onboardDate: 1_569_398_400_000,
  status: 'TRADING',
  baseAsset: base,
  quoteAsset: quote,
  marginAsset: quote,
  pricePrecision: decimalsOf(futures!.tickSize),
  quantityPrecision: decimalsOf(futures!.stepSize),
  baseAssetPrecision: 8,
  quotePrecision: 8,
  filters: [
    priceFilter(futures!),
    lotSize('LOT_SIZE', futures!),
    lotSize('MARKET_LOT_SIZE', futures!),
    {
      filterType: 'PERCENT_PRICE',
      multiplierUp: String(priceBounds.futures.up),
      multiplierDown: String(priceBounds.futures.down),
    },
    { filterType: 'MIN_NOTIONAL', notional: futures!.minNotional },
  ],
  orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'],
  timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
});
