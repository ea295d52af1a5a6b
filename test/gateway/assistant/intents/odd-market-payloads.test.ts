import assert from 'node:assert/strict';
import { intentNamed } from '../../../../gateway/assistant/analyst/intents.js';
import type { Slots } from '../../../../gateway/assistant/analyst/slots.js';
import { assertReads, textOf } from '../../../support/assistant/prose-rules.js';

const of = { asset: 'NEW', tradeMarket: 'USDT', interval: '1d' };
const none = { state: null, since: null, candlesInState: null, daysInState: null, price: null, asOf: null };
const intervals = ['1h', '4h', '1d'];
const noAgreement = { score: null, known: 0, aligned: 0, majority: null, conflict: false };
const noStates = {
  ...of,
  intervals: intervals.map((interval) => ({ interval, ...none })),
  agreement: noAgreement,
};
const noPrice = { asset: 'NEW', price: null, change24hPercent: null, isStale: true };
const counts = { assets: 1, stale: 1, skipped: 1, belowFloor: 0 };
const noWindow = { window: '30d', figures: null, reason: 'needs 721 hours of history, found 5' };
const sides = { above: [], below: [], pivots: null };
const share = { count: 0, meanPercent: null, medianPercent: null, upPercent: null };
const rule = { exchange: 'BYBIT', asset: 'ETH', tradeMarket: 'USDT', account: 'FUTURES', priceTick: '0.01' };
const states = { accumulate: 0, wait: 0, distribute: 0, none: 1 };
const noMedian = { median: null, assets: 0 };
const emptyBucket = { meanPercent: null, lowPercent: null, highPercent: null, upPercent: null, count: 0 };

/** Payloads at the edge of what the operations answer, and how they read. */
const cases: [intent: string, payload: object, slots: Slots, text: string][] = [
  [
    'anomalies',
    { ...of, ...counts, measured: 1, beyond: 1, expectedIfNormal: 0, found: 1, rows: [unusual()] },
    {},
    '1 candle on 1d is unusual among 1 asset, that of NEW on 3 June 2025 with a return of +12.0 % (z-score 4.1) and an unusually high volume (z-score 6) after a gap. The limit is passed by 1 of 1 z-score; if all were normally distributed, chance alone would bring about 0.',
  ],
  [
    'breadth',
    { ...of, rows: [], stale: 0 },
    {},
    'There is no candle on 1d from which breadth could be read.',
  ],
  ['candles', { ...of, candles: [] }, {}, 'There are no closed 1d candles of NEW.'],
  [
    'candlestick-patterns',
    { ...of, lookback: 1, patterns: [], histories: [], base: {} },
    {},
    'There is no candlestick pattern on the last 1 candle of NEW on 1d.',
  ],
  [
    'correlation-matrix',
    { ...of, assets: ['NEW', 'OLD'], pairs: [{ first: 'NEW', second: 'OLD', correlation: null }], gaps: 0 },
    {},
    'NEW and OLD have no correlation on 1d: a price did not move.',
  ],
  [
    'correlation-matrix',
    {
      ...of,
      ...{ assets: ['NEW', 'OLD'], count: 20, average: -0.7, gaps: 1, staleAssets: ['OLD'] },
      pairs: [{ first: 'NEW', second: 'OLD', correlation: -0.7, low: null, high: null }],
    },
    {},
    'NEW and OLD have a correlation of -0.7 on 1d, a moderate one in opposite directions. It is measured over 20 returns. The candles of OLD end earlier than the others, and the window with them.',
  ],
  [
    'data-status',
    { asset: null, source: 'demo', history: 'filling 0/3', intervals: [], gaps: [], overdue: [] },
    {},
    'There are no stored candles of all assets yet: filling 0/3.',
  ],
  [
    'data-status',
    {
      ...{
        asset: 'NEW',
        source: 'binance',
        gaps: [{ from: '2025-06-01T04:00:00.000Z', to: '2025-06-01T06:00:00.000Z' }],
      },
      intervals: [
        { interval: '1h', lastClose: '2025-06-03T14:00:00.000Z', lagSeconds: 61, candles: 1, missing: 2 },
      ],
      overdue: [{ asset: 'NEW', reason: 'the exchange does not answer' }],
    },
    {},
    'The candles of NEW come from binance and are behind: 1h by 61 seconds. The newest closed at 3 June 2025, 14:00 UTC on 1h. 1 1h candle is stored; 2 are missing, the last from 1 June 2025, 04:00 UTC to 1 June 2025, 06:00 UTC. The newest candles of NEW are overdue: the exchange does not answer.',
  ],
  [
    'divergences',
    { ...of, lookback: 1, divergences: [] },
    {},
    'There is no divergence on the last 1 candle of NEW on 1d.',
  ],
  [
    'exchange-rules',
    {
      ...rule,
      quantityStep: '0.001',
      minQuantity: '0.001',
      minNotional: '0',
      maxLeverage: null,
      makerPercent: null,
    },
    {},
    'On BYBIT (futures) an order of ETH/USDT must be at least 0.001 ETH. Its price is a multiple of 0.01 USDT, its quantity of 0.001 ETH.',
  ],
  [
    'exchange-rules',
    {
      ...{ ...rule, quantityStep: '0.001', minQuantity: '0.001', minNotional: '5' },
      ...{ maxLeverage: '100', makerPercent: '0.02', takerPercent: '0.055' },
    },
    {},
    'On BYBIT (futures) an order of ETH/USDT must be at least 0.001 ETH and be worth 5 USDT. Its price is a multiple of 0.01 USDT, its quantity of 0.001 ETH. The largest leverage is 100. The fee is 0.02 % for maker and 0.06 % for taker orders.',
  ],
  [
    'flip-history',
    { ...of, flips: [] },
    { state: 'wait' },
    'NEW has not changed its trend state on 1d in the stored history.',
  ],
  [
    'flip-price',
    {
      ...{ ...of, price: 100, state: 'accumulate', unmoved: 'wait' },
      targets: [
        { to: 'wait', nearest: { close: 100, percent: 0, atr: null }, candlesNeeded: 1, agreeing: null },
        { to: 'distribute', nearest: null, candlesNeeded: 2, agreeing: null },
      ],
    },
    {},
    'The nearest close that turns NEW to wait on the next 1d candle is 100 USDT, exactly at the last close. No close of the next 1d candle turns NEW to distribute. Now it is in accumulate at 100 USDT. A candle that closes where the last one did turns it to wait. This holds for the next candle if it opens at the last close and has no wicks.',
  ],
  [
    'flip-statistics',
    { ...of, flips: 0, candles: 61, durations: [], forwardReturns: [] },
    {},
    'NEW has not changed its trend state in 61 candles on 1d.',
  ],
  [
    'flip-statistics',
    { ...of, flips: 1, candles: 70, durations: [{ state: 'wait', median: null }], forwardReturns: [] },
    {},
    'NEW changed its trend state 1 time in 70 candles on 1d. There are too few comparable turns for a hit rate.',
  ],
  [
    'indicator-values',
    {
      ...{ ...of, price: 100 },
      indicators: [
        {
          name: 'sma',
          title: 'Simple Moving Average',
          params: { period: 200 },
          outputs: [line('sma', null)],
        },
      ],
    },
    {},
    'There is not enough history of NEW on 1d for SMA (200).',
  ],
  [
    'indicator-values',
    {
      ...{ ...of, price: 100 },
      indicators: [
        {
          name: 'psar',
          title: 'PSAR',
          kind: 'trend',
          params: {},
          outputs: [line('psar', 90), line('other', null)],
        },
      ],
    },
    {},
    'PSAR of NEW on 1d is 90. The last close is 100 USDT. The history is too short for other.',
  ],
  ['list-assets', { total: 0, assets: [], tradeMarket: 'BTC' }, {}, 'No asset is known here against BTC.'],
  ['longest-in-state', { ...of, total: 0, states: [] }, {}, 'No asset is in a trend state on 1d.'],
  [
    'market-overview',
    {
      ...{
        ...of,
        ...counts,
        stale: 0,
        states,
        advancers: 0,
        decliners: 0,
        btc: null,
        adx: noMedian,
        rsi: noMedian,
      },
      ...{ strongest: [], weakest: [], dayOfWeek: 'Weekday' },
    },
    {},
    'On 1d the trend states of 1 asset are: accumulate 0, wait 0, distribute 0. 0 rose and 0 fell with the last candle. 1 asset has too little history for a state.',
  ],
  [
    'past-price',
    { ...of, candles: [] },
    { date: '2019-01-01' },
    'There is no stored price of NEW as early as 1 January 2019.',
  ],
  [
    'performance',
    { rows: [{ asset: 'NEW', windows: [noWindow] }] },
    {},
    'There is not enough history of NEW for a return over the last month.',
  ],
  [
    'performance',
    { rows: ['NEW', 'OLD'].map((asset) => ({ asset, windows: [noWindow] })) },
    {},
    'There is not enough history of NEW and OLD for a return over the last month.',
  ],
  ['price', { prices: [noPrice], tradeMarket: 'USDT' }, {}, 'There is no price of NEW against USDT yet.'],
  [
    'price',
    {
      ...{ tradeMarket: 'USDT' },
      prices: [noPrice, { asset: 'OLD', price: '5', change24hPercent: '0', isStale: true }],
    },
    {},
    'OLD is at 5 USDT, unchanged over a day. There is no price of NEW yet. The price of OLD is too old to be that of the market now.',
  ],
  [
    'rate-limit',
    { rateLimit: { limit: 60, remaining: 0, resetSeconds: 1 } },
    {},
    'You have 0 of 60 points left. All of them are there again in 1 second at most. Until then requests are refused.',
  ],
  [
    'recent-flips',
    { ...of, ...counts, found: 0, rows: [] },
    { state: 'distribute' },
    'None of 1 asset has turned to distribute on 1d lately.',
  ],
  [
    'scan-states',
    { ...of, total: 0, states: [], nextCursor: null },
    { state: 'wait' },
    'No asset is in wait on 1d.',
  ],
  [
    'screener',
    { ...of, ...counts, matched: 0, rows: [] },
    { conditions: [{ left: 'close', op: 'crosses_above', right: 'sma_200' }] },
    'None of 1 asset has close crosses above sma_200 on 1d. 1 asset has too little history to be judged.',
  ],
  [
    'seasonality',
    { asset: 'NEW', by: 'session', count: 1, meanPercent: 2, buckets: [emptyBucket] },
    {},
    'There is not enough history of NEW to compare its sessions. The mean of all 1 session is 2.0 %.',
  ],
  [
    'similar-history',
    {
      ...of,
      matches: [],
      compared: 0,
      aftermath: [{ candles: 5, matches: share, base: share, isDifferent: false }],
    },
    {},
    'No earlier stretch of NEW on 1d can be compared with its last candles.',
  ],
  [
    'support-resistance',
    { ...of, ...sides, price: 100 },
    {},
    'No support of NEW is known below 100 USDT on 1d; no resistance is known above it. Levels are where the price turned before or where many look; none of them has to hold.',
  ],
  [
    'top-movers',
    { ...counts, stale: 0, rows: [], ranked: 0, tradeMarket: 'USDT' },
    { rankBy: 'loss', windowHours: 1 },
    'None of 1 asset fell in the last hour.',
  ],
  [
    'trend-chart',
    { ...of, state: null, price: 100, line: [], upper: [], lower: [], missingCandles: 0 },
    {},
    'There is not enough history of NEW on 1d for a core line.',
  ],
  [
    'trend-on-all-intervals',
    noStates,
    {},
    'There is not enough history of NEW for a trend state on any interval.',
  ],
  ['trend-state', noStates, {}, 'There is not enough history of NEW on 1d for a trend state.'],
  [
    'why-flipped',
    { ...of, flips: [] },
    {},
    'NEW has not changed its trend state on 1d in the stored history.',
  ],
];

describe('answers about the market from odd payloads', () => {
  for (const [name, payload, slots, text] of cases)
    it(`${name} reads: ${text.slice(0, 60)}`, () => {
      const prose = intentNamed(name)!.answer(payload, slots);
      assert.equal(textOf(prose), text);
      assertReads(prose, payload, slots);
    });
});

function line(name: string, value: number | null) {
  return { name, warmup: 200, values: [value] };
}

function unusual() {
  return {
    ...{ asset: 'NEW', time: '2025-06-03T00:00:00.000Z', unusual: ['return', 'volume'], afterGap: true },
    ...{ returnPercent: 12, returnZ: 4.1, volumeZ: 6 },
  };
}
