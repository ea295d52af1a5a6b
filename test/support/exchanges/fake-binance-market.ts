import { candleColumns, type Candles } from '../../../compute/model/candles.js';

const hourMs = 3_600_000;

export interface FakePair {
  base: string;
  quote: string;
  candles: Candles;
  status?: string;
  /** Traded in 24 h, in the quote currency. */
  turnover?: number;
}

/** A row of klines as Binance writes it: times as numbers of ms, prices as text. */
export type Kline = (number | string)[];

/** The data behind Binance's public answers. */
export interface FakeMarketState {
  pairs: ReadonlyMap<string, FakePair>;
  /** Open times, by symbol, that are left out of klines. */
  missing: ReadonlyMap<string, ReadonlySet<number>>;
  /** Changes the rows of klines before they are sent. */
  changeRows: (rows: Kline[], symbol: string) => Kline[];
  /** The exchange's own time in ms. */
  time: number;
}

type PublicAnswer = (state: FakeMarketState, query: URLSearchParams) => unknown;

const answers: Record<string, PublicAnswer> = {
  '/api/v3/ping': () => ({}),
  '/api/v3/time': ({ time }) => ({ serverTime: time }),
  '/api/v3/exchangeInfo': ({ pairs, time }) => ({
    timezone: 'UTC',
    serverTime: time,
    symbols: [...pairs.values()].map(describePair),
  }),
  '/api/v3/klines': klines,
  '/api/v3/ticker/24hr': tickers,
};

/** The answer to a public request; null for an unknown path. */
export const answerPublic = (path: string, query: URLSearchParams, state: FakeMarketState): unknown =>
  Object.hasOwn(answers, path) ? answers[path](state, query) : null;

const invalidSymbol = { code: -1121, msg: 'Invalid symbol.' };

function klines(
  { pairs, missing, changeRows, time: nowMs }: FakeMarketState,
  query: URLSearchParams,
): unknown {
  const symbol = query.get('symbol') ?? '';
  const pair = pairs.get(symbol);
  if (!pair) return invalidSymbol;
  const startMs = Number(query.get('startTime') ?? 0);
  const limit = Math.min(1_000, Number(query.get('limit') ?? 500));
  const left = missing.get(symbol);
  const rows: Kline[] = [];
  const { time } = pair.candles;
  for (let i = 0; i < time.length && rows.length < limit; i++) {
    if (time[i] < startMs || time[i] > nowMs || left?.has(time[i])) continue;
    rows.push(klineOf(pair.candles, i, nowMs));
  }
  return changeRows(rows, symbol);
}

function tickers({ pairs, time }: FakeMarketState, query: URLSearchParams): unknown {
  const symbols = query.has('symbols') ? (JSON.parse(query.get('symbols')!) as string[]) : [...pairs.keys()];
  if (symbols.some((symbol) => !pairs.has(symbol))) return invalidSymbol;
  return symbols.map((symbol) => tickerOf(symbol, pairs.get(symbol)!, time));
}

/** The close that klines and tickers show for the hour that is not closed. */
function unfinishedClose(candles: Candles, i: number): number {
  return (candles.high[i] + candles.low[i]) / 2;
}

function klineOf(candles: Candles, i: number, nowMs: number): Kline {
  const [time, open, high, low, close, volume] = candleColumns.map((column) => candles[column][i]);
  const closed = time + hourMs <= nowMs;
  const values = [
    open,
    high,
    low,
    closed ? close : unfinishedClose(candles, i),
    closed ? volume : volume / 2,
  ];
  return [time, ...values.map(String), time + hourMs - 1, '0', 10, '0', '0', '0'];
}

function describePair({ base, quote, status = 'TRADING' }: FakePair): object {
  return {
    symbol: base + quote,
    status,
    baseAsset: base,
    baseAssetPrecision: 8,
    quoteAsset: quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    orderTypes: ['LIMIT', 'MARKET'],
    icebergAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.00000001', maxPrice: '1000000', tickSize: '0.00000001' },
      { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    ],
    permissions: [],
    permissionSets: [['SPOT']],
  };
}

function tickerOf(symbol: string, { candles, turnover = 1 }: FakePair, nowMs: number): object {
  const { time, close } = candles;
  let i = 0;
  while (i + 1 < time.length && time[i + 1] <= nowMs) i++;
  const price = unfinishedClose(candles, i);
  const before = close[Math.max(0, i - 24)];
  return {
    symbol,
    priceChange: String(price - before),
    priceChangePercent: ((price / before - 1) * 100).toFixed(3),
    weightedAvgPrice: String(price),
    prevClosePrice: String(before),
    lastPrice: String(price),
    lastQty: '1',
    bidPrice: String(price),
    askPrice: String(price),
    openPrice: String(before),
    highPrice: String(price),
    lowPrice: String(price),
    volume: '1',
    quoteVolume: String(turnover),
    openTime: nowMs - 24 * hourMs,
    closeTime: Math.floor(nowMs),
    firstId: 1,
    lastId: 2,
    count: 1,
  };
}
