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
    call: async () => ({ ok: true, payload, headline: 'Headline', content: {}, ...about }),
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
