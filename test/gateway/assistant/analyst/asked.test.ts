import assert from 'node:assert/strict';
import { analyse } from '../../../../gateway/assistant/analyst/analyst.js';
import type { AnalystState } from '../../../../gateway/assistant/analyst/analyst-state.js';
import type { Toolbox } from '../../../../gateway/assistant/toolbox.js';
import { toolNamed, tools } from '../../../../gateway/mcp/tools.js';
import { jsonSchemaOf } from '../../../../gateway/openapi/json-schema.js';

const options = { nowMs: Date.UTC(2026, 5, 15), symbols: ['BTC', 'ETH', 'SOL', 'ADA', 'LTC'] };

/** The answer to the last of the messages from a tool that answers with one payload. */
async function answerTo(messages: readonly string[], payload: object): Promise<string> {
  const toolbox: Toolbox = {
    names: new Set(tools.map(({ listing }) => listing.name)),
    output: (name) => jsonSchemaOf(toolNamed(name)!.operation.output),
    call: async (name, args) => {
      const headline = name === 'get_candles' ? toolNamed(name)!.headline(payload, args) : 'Headline';
      return { ok: true, payload, headline, content: {}, ...about };
    },
  };
  let state: AnalystState = {};
  let text = '';
  for (const message of messages) ({ text, state } = await analyse(message, state, toolbox, options));
  return text;
}
const about = { asOf: '2026-06-15T00:00:00.000Z', isStale: false, source: 'csv' };

const pair = {
  count: 365,
  beta: { beta: 1.21, betaLow: 1.05, betaHigh: 1.36, rSquared: 0.4291, reason: null },
  ratio: { now: 0.04, mean: 0.05, zScore: null, reason: 'the ratio does not return' },
  rolling: { candles: 30, now: 0.867, min: 0.711, max: 0.943, median: 0.878 },
};
const buckets = ['Monday', 'Tuesday'].map((bucket, n) => ({
  bucket,
  count: 256 + n,
  medianPercent: n - 0.25,
}));
const forwardReturns = ['accumulate', 'wait'].flatMap((to) =>
  [5, 10, 20, 60].map((candles) => ({
    ...{ from: to === 'wait' ? 'accumulate' : 'wait', to, candles, count: candles + 6, median: 1 },
    ...{
      hitRatePercent: 33.8 + candles,
      hitRateLowPercent: 15.5 + candles,
      hitRateHighPercent: 51.2 + candles,
    },
  })),
);
const assets = ['BTC', 'ETH', 'SOL', 'ADA', 'LTC'];
const pairs = assets.flatMap((first, n) =>
  assets
    .slice(n + 1)
    .map((second, m) => ({ first, second, correlation: 0.51 + n / 10 + m / 100, low: 0, high: 1 })),
);
const losses = [95, 99].map((confidencePercent) => ({
  confidencePercent,
  historical: { cvarPercent: confidencePercent / 10 + 0.26 },
  parametric: null,
}));
const tailRisk = {
  returns: 365,
  horizons: [{ days: 1, losses }],
  worstDays: [9.4, 7.3, 6.2, 5.1].map((loss, n) => ({
    time: `2026-03-0${n + 1}T00:00:00.000Z`,
    percent: -loss,
  })),
};
const indicators = [
  { name: 'rsi', params: [{ name: 'period', default: 14 }] },
  {
    name: 'macd',
    params: [
      { name: 'fast', default: 12 },
      { name: 'slow', default: 26 },
    ],
  },
];

const averages = [20, 50].map((period) => ({
  ...{ name: 'ema', title: 'Exponential Moving Average', kind: 'trend', params: { period } },
  outputs: [{ name: 'ema', warmup: period, values: [period + 0.1, period + 0.2] }],
}));
const values = { asset: 'ETH', interval: '1h', tradeMarket: 'USDT', price: 21, indicators: averages };
const candles = [31, 39, 35, 33, 32, 30, 34, 38, 37, 36].map((high, n) => ({
  time: `2026-06-${String(n + 1).padStart(2, '0')}T00:00:00.000Z`,
  ...{ open: high - 2, high, low: high - 4, close: high - 1.5, volume: 1000 + n },
}));
const ofCandles = { asset: 'SOL', interval: '1d', tradeMarket: 'USDT', count: candles.length, candles };
const intervals = ['1h', '4h', '1d'].map((interval) => ({
  ...{ interval, state: 'wait', since: '2026-06-01T00:00:00.000Z', candlesInState: 14, price: 20 },
}));
const states = {
  ...{ asset: 'ETH', tradeMarket: 'USDT', intervals },
  agreement: { score: 1, known: 3, aligned: 3, majority: 'wait', conflict: false },
};
const trend = {
  ...{ asset: 'LTC', price: 45.2, psar: { stop: 41, value: 'up' }, supertrend: { stop: 47, value: 'down' } },
  movingAverages: {
    lines: [{ period: 200, value: 58.8, distancePercent: -23.2, slopePercent: -0.1 }],
    lastCross: { kind: 'death', time: '2026-04-29T00:00:00.000Z', candlesAgo: 47 },
  },
};
const divergences = [
  ['macd_histogram', 2],
  ['rsi', 5],
  ['obv', 9],
  ['rsi', 12],
].map(([indicator, candlesAgo]) => ({
  ...{ indicator, candlesAgo, candles: 4, type: 'regular', sentiment: 'bearish', status: 'confirmed' },
}));
const patterns = ['Doji', 'Doji', 'Hammer', 'Doji', 'Doji', 'Doji', 'Engulfing'].map((pattern, n) => ({
  ...{
    pattern,
    sentiment: 'bullish',
    time: `2026-06-0${n + 1}T00:00:00.000Z`,
    candles: 1,
    candlesAgo: 9 - n,
  },
}));
const orders = [
  { side: 'sell', quantity: '5', asset: 'XRP', exchange: 'PAPER', price: null, stopPrice: '0.4681' },
].map((each) => ({ ...each, status: 'open', filled: '0' }));
const profits = ['BTC', 'ETH'].map((group) => ({
  ...{ group, name: null, profit: '0', tradeMarket: 'USDT', trades: 0, fees: [] },
}));

/** Questions with the payload of their tool, what the answer says, and what it does not. */
const cases: readonly [asked: string | string[], payload: object, says: RegExp, not?: RegExp][] = [
  ['beta and r squared of LTC against BTC', pair, /R² 0\.429/, /out, which|z-score/i],
  [['beta and r squared of LTC against BTC', 'same for ETH?'], pair, /R² 0\.429/],
  ['z-score of the ratio of ETH to BTC', pair, /Z-score of the ratio none \(the ratio does not return\)/],
  ['correlation of ETH and BTC, rolling correlation too', pair, /0\.867 now, from 0\.711 to 0\.943/],
  ['correlation of ETH and BTC', pair, /Headline/, /0\.429|0\.867/],
  [
    'returns of ETH by weekday, n per weekday',
    { by: 'weekday', buckets },
    /Sample size: Monday 256; Tuesday 257/,
  ],
  ['median return of ETH by weekday', { by: 'weekday', buckets }, /Median: Monday -0\.25 %; Tuesday 0\.75 %/],
  [
    'hit rate of BTC flips to accumulate 20 candles later, with error bars',
    { forwardReturns },
    /Hit rate: wait to accumulate 20 candles 53\.8 % \(95 % interval 35\.5 % to 71\.2 %\)/,
    /to wait|and more/,
  ],
  ['correlation matrix of BTC, ETH, SOL, ADA and LTC', { pairs }, /ADA and LTC 0\.81/, /and more/],
  ['least correlated of BTC, ETH, SOL, ADA and LTC', { pairs }, /and more \(10 in all\)/],
  [
    'cvar 99 of BTC',
    tailRisk,
    /1 day 99 %: historical CVaR 10\.2 %|CVaR: 99 % 10\.2 %|99 %: historical CVaR 10\.2 %/,
  ],
  [
    'tail risk of BTC. And the three worst days',
    tailRisk,
    /Worst days: .*-9\.4 %; .*-7\.3 %; .*-6\.2 %/,
    /-5\.1 %/,
  ],
  [
    'which indicators can you compute, with default parameters',
    { indicators },
    /rsi period 14; macd fast 12, slow 26/,
  ],
  [
    'rank the presets by profit factor',
    { rows: [] },
    /"profit factor" is not among the figures of this answer/,
  ],
  [
    'what was SOL at in may 2014',
    { ...ofCandles, count: 0, candles: [], firstTime: '2022-01-03T00:00:00.000Z', earlierEndTime: null },
    /^No 1d candles of SOL\/USDT are kept for this time; they begin on 3 January 2022\. /,
  ],
  ['rsi of ETH on the 2h', values, /^2h candles are not kept here, only 1h, 4h and 1d\. On 1h for ETH: /],
  ['monthly rsi of ETH', values, /^Monthly candles are not kept here/],
  ['best channel of the last two weeks', { period: '1y', total: 0 }, /Over 1y, 0 channels/, /Over 1y: Over/],
  [
    'ema 20 and ema 50 of ETH on 1h, the last values',
    values,
    /EMA \(20\) 20\.2; EMA \(50\) 50\.2\..*Last values: EMA \(20\) 20\.1, 20\.2; EMA \(50\) 50\.1, 50\.2/,
    /Exponential/,
  ],
  ['last 10 daily candles of SOL', ofCandles, /the newest last: (?:[\d.]+; ){9}34\.5\./],
  [
    'highest high of SOL in the last 10 daily candles',
    ofCandles,
    /Highest high: 39 USDT on 2 June 2026, of 10/,
    /out, which/,
  ],
  ['lowest close of SOL in the last 10 daily candles', ofCandles, /Lowest close: 28\.5 USDT on 6 June 2026/],
  [
    'how did ETH do 20 candles after flips to accumulate',
    { forwardReturns },
    /After a flip: from wait to accumulate, 20 candles later, median \+1\.0 % in 26 cases\./,
  ],
  [
    'how did ETH do 30 candles after flips to accumulate',
    { forwardReturns },
    /^"30 candles" is not told here, only 5, 10, 20 and 60\. .*After a flip: from wait to accumulate, 5 candles/,
    /out, which/,
  ],
  [
    'value at risk of ETH at 97.5% confidence',
    tailRisk,
    /^"97\.5% confidence" is not told here, only 95 and 99\. /,
    /out, which/,
  ],
  [
    ['my profit this month', 'split it by strategy'],
    { rows: profits },
    /^"by strategy" is not among the ways here, only by asset, exchange, channel or day\. /,
  ],
  ['any rsi divergence on SOL 4h', { divergences }, /regular with rsi, .*5 candles ago; .*12 candles/, /obv/],
  ['any engulfing on ETH lately', { patterns }, /The newest: Engulfing, bullish \(7 June 2026\)\./],
  [
    'when was the last golden cross of LTC',
    trend,
    /death cross on 29 April 2026.*only the last cross is told/,
  ],
  ['is LTC above its 200 day sma', trend, /^No: the close stands -23\.2 % from its SMA \(200\) at 58\.8\. /],
  ['is LTC below its 200 day sma', trend, /^Yes: /],
  ['is ETH in accumulate?', states, /^No\. ETH is in wait on 1d/],
  ['is ETH in accumulate or wait?', states, /^ETH is in wait on 1d/],
  [
    'is ETH still in wait on the 2h',
    states,
    /^2h candles are not kept here, only 1h, 4h and 1d\. ETH is in wait/,
  ],
  ['do 1h, 4h and 1d agree on ETH', states, /^Yes: 3 of 3 intervals are in wait\. /],
  ['show my open orders', { orders }, /Sell 5 XRP on PAPER at 0\.4681, open/],
  ['how much did i pay in fees last 90d', { rows: profits }, /Fees of closed trades: "BTC" none; "ETH" none/],
  [
    'my pnl by channel',
    { rows: [{ ...profits[0], group: '6b0b', name: 'demo-trend' }] },
    /"demo-trend" 0 USDT/,
    /6b0b/,
  ],
  ['gaps in the candles of ETH', { asset: 'ETH', source: 'csv', gaps: [] }, /Gaps: none/],
];

describe('figures that are asked for by name', () => {
  for (const [asked, payload, says, not] of cases)
    it(`are told: ${[asked].flat().join(' / ')}`, async () => {
      const text = await answerTo([asked].flat(), payload);
      assert.match(text, says);
      if (not) assert.doesNotMatch(text, not);
    });
});
