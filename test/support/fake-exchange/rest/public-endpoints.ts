import type { Decimal } from '../../../../compute/model/decimal.js';
import { dayOfCandles, hoursOfCandles } from '../book/candle-answers.js';
import type { BookTick } from '../book/matching-engine.js';
import { priceBounds } from '../book/check-request.js';
import { symbolOf, type PairFilters, type TradedPair } from '../book/traded-pair.js';
import { required, type Endpoint, type RestCall } from './rest-call.js';

/** Public data that spot and futures answer alike, below paths such as `/api/v3`. */
export const publicEndpoints = (path: string): Record<string, Endpoint> => ({
  [`GET ${path}/ping`]: () => ({}),
  [`GET ${path}/time`]: ({ nowMs }) => ({ serverTime: Math.floor(nowMs) }),
  [`GET ${path}/ticker/price`]: (call) => bySymbol(call, priceRow),
  [`GET ${path}/ticker/24hr`]: (call) => bySymbol(call, path.startsWith('/fapi') ? futuresDayRow : dayRow),
  [`GET ${path}/ticker/bookTicker`]: (call) => bySymbol(call, bookRow),
  [`GET ${path}/trades`]: (call) =>
    ticksOf(call)
      .slice(-Number(call.params.get('limit') ?? 500))
      .map((tick, id) => ({
        id,
        price: String(tick.price),
        qty: String(tick.quantity ?? 1),
        quoteQty: String(tick.price),
        time: tick.at,
        isBuyerMaker: false,
        isBestMatch: true,
      })),
  [`GET ${path}/aggTrades`]: (call) => {
    const startMs = Number(call.params.get('startTime') ?? 0);
    const rows = ticksOf(call).map((tick, a) => ({
      a,
      p: String(tick.price),
      q: String(tick.quantity ?? 1),
      f: a,
      l: a,
      T: tick.at,
      m: false,
      M: true,
    }));
    return rows.filter(({ T }) => T >= startMs).slice(0, Number(call.params.get('limit') ?? 500));
  },
  [`GET ${path}/depth`]: (call) => {
    const price = String(call.engine.priceOf(required(call, 'symbol')));
    return { lastUpdateId: 1, bids: [[price, '1000']], asks: [[price, '1000']] };
  },
  [`GET ${path}/klines`]: klines,
});

export const exchangeInfoEndpoints: Record<string, Endpoint> = {
  'GET /api/v3/exchangeInfo': ({ engine, nowMs }) => ({
    timezone: 'UTC',
    serverTime: Math.floor(nowMs),
    rateLimits: [],
    exchangeFilters: [],
    symbols: [...engine.pairs.values()].map((pair) => spotSymbol(pair, engine.halted.has(symbolOf(pair)))),
  }),
  'GET /fapi/v1/exchangeInfo': ({ engine, nowMs }) => ({
    timezone: 'UTC',
    serverTime: Math.floor(nowMs),
    rateLimits: [],
    exchangeFilters: [],
    assets: [{ asset: 'USDT', marginAvailable: true, autoAssetExchange: '0' }],
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

const priceRow = (symbol: string, call: RestCall) => ({
  symbol,
  price: priceOf(symbol, call),
  time: call.engine.ticks.get(symbol)?.at(-1)?.at,
});

const bookRow = (symbol: string, call: RestCall) => ({
  symbol,
  bidPrice: priceOf(symbol, call),
  bidQty: '1000',
  askPrice: priceOf(symbol, call),
  askQty: '1000',
  time: call.engine.ticks.get(symbol)?.at(-1)?.at,
});

/** Futures tell neither bid nor ask in these rows: ccxt knows them by that. */
function futuresDayRow(symbol: string, call: RestCall): object {
  const spotOnly = ['prevClosePrice', 'bidPrice', 'bidQty', 'askPrice', 'askQty'];
  return Object.fromEntries(
    Object.entries(dayRow(symbol, call)).filter(([name]) => !spotOnly.includes(name)),
  );
}

function dayRow(symbol: string, call: RestCall): object {
  const ticks = call.engine.ticks.get(symbol) ?? [];
  const { candles, turnover = 1_000_000_000 } = call.engine.pairOf(symbol);
  const day = candles && dayOfCandles(candles, call.nowMs);
  const price = day?.price ?? priceOf(symbol, call);
  const open = day?.open ?? String(ticks[0]?.price ?? price);
  const at = ticks.at(-1)?.at ?? call.nowMs;
  return {
    symbol,
    priceChange: String(Number(price) - Number(open)),
    priceChangePercent: ((Number(price) / Number(open) - 1) * 100).toFixed(3),
    weightedAvgPrice: price,
    prevClosePrice: open,
    lastPrice: price,
    lastQty: '1',
    bidPrice: price,
    bidQty: '1000',
    askPrice: price,
    askQty: '1000',
    openPrice: open,
    highPrice: String(extreme(ticks, 1) ?? price),
    lowPrice: String(extreme(ticks, -1) ?? price),
    volume: '1000000',
    quoteVolume: String(turnover),
    openTime: at - 86_400_000,
    closeTime: at,
    firstId: 0,
    lastId: ticks.length,
    count: ticks.length,
  };
}

const extreme = (ticks: readonly BookTick[], sign: 1 | -1): Decimal | null =>
  ticks.reduce<Decimal | null>(
    (found, { price }) => (found === null || price.compare(found) * sign > 0 ? price : found),
    null,
  );

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
  const startMs = Number(call.params.get('startTime') ?? 0);
  const limit = Math.min(1_000, Number(call.params.get('limit') ?? 500));
  const { candles } = call.engine.pairOf(required(call, 'symbol'));
  if (candles) return hoursOfCandles(candles, { startMs, limit, nowMs: call.nowMs });
  const rows = new Map<number, BookTick[]>();
  for (const tick of ticksOf(call)) {
    const time = Math.floor(tick.at / spanMs) * spanMs;
    if (time >= startMs) rows.set(time, [...(rows.get(time) ?? []), tick]);
  }
  return [...rows].slice(0, limit).map(([time, ticks]) => {
    const values = [ticks[0].price, extreme(ticks, 1), extreme(ticks, -1), ticks.at(-1)!.price].map(String);
    return [time, ...values, '1', time + spanMs - 1, '1', ticks.length, '0', '0', '0'];
  });
}

const priceFilter = ({ tickSize }: PairFilters) => ({
  filterType: 'PRICE_FILTER',
  minPrice: tickSize,
  maxPrice: '1000000.00000000',
  tickSize,
});

const lotSize = (filterType: string, { stepSize, minQuantity: minQty }: PairFilters) => ({
  filterType,
  minQty,
  maxQty: '90000.00000000',
  stepSize,
});

const spotSymbol = ({ base, quote, spot, status = 'TRADING' }: TradedPair, isHalted: boolean) => ({
  symbol: symbolOf({ base, quote }),
  status: isHalted ? 'BREAK' : status,
  baseAsset: base,
  baseAssetPrecision: 8,
  quoteAsset: quote,
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT'],
  icebergAllowed: true,
  ocoAllowed: true,
  quoteOrderQtyMarketAllowed: true,
  allowTrailingStop: false,
  cancelReplaceAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: true,
  filters: [
    priceFilter(spot),
    lotSize('LOT_SIZE', spot),
    {
      ...{ filterType: 'PERCENT_PRICE_BY_SIDE', avgPriceMins: 5 },
      bidMultiplierUp: String(priceBounds.spot.up),
      bidMultiplierDown: String(priceBounds.spot.down),
      askMultiplierUp: String(priceBounds.spot.up),
      askMultiplierDown: String(priceBounds.spot.down),
    },
    {
      filterType: 'NOTIONAL',
      minNotional: spot.minNotional,
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
    },
  ],
  permissions: [],
  permissionSets: [['SPOT', 'MARGIN']],
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
  underlyingType: 'COIN',
  liquidationFee: '0.012500',
  filters: [
    priceFilter(futures!),
    lotSize('LOT_SIZE', futures!),
    lotSize('MARKET_LOT_SIZE', futures!),
    {
      ...{ filterType: 'PERCENT_PRICE', multiplierDecimal: '4' },
      multiplierUp: String(priceBounds.futures.up),
      multiplierDown: String(priceBounds.futures.down),
    },
    { filterType: 'MIN_NOTIONAL', notional: futures!.minNotional },
  ],
  orderTypes: ['LIMIT', 'MARKET', 'STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET'],
  timeInForce: ['GTC', 'IOC', 'FOK', 'GTX'],
});
