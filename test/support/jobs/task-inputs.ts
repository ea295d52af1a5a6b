import type { Candles } from '../../../compute/model/candles.js';
import { target } from '../../../compute/model/strategy.js';
import type { Interval } from '../../../compute/model/interval.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { decideRulesAlone } from '../../../compute/rules/decide-rules.js';
import { parseStrategy } from '../../../compute/rules/parse-strategy.js';
import { plainSettings } from '../rules/run-rules.js';
import { analysisNamed, reachingParams, sampleCosts, sampleTrading } from './sample-params.js';

/** What questions are made of: the candles of one pair, and of another over about the same time. */
export interface Market {
  candles: Candles;
  other: Candles;
  interval: Interval;
}

/** Candles of hours taken for those of days. */
const asDays = (candles: Candles): Candles => ({
  ...candles,
  time: candles.time.map((ms) => Date.UTC(2020, 0, 1) + (ms - Date.UTC(2024, 0, 1)) * 24),
});

const rules = {
  long: {
    entry: { left: 'ema_5', op: '>', right: 'ema_12' },
    exit: { left: 'ema_5', op: '<', right: 'ema_12' },
  },
};

const tradedRules = (candles: Candles, interval: Interval) => ({
  assets: [
    {
      ...{ asset: 'AAA', candles },
      decisions: decideRulesAlone(parseStrategy(rules), null, candles, interval, new ScratchBuffers()),
    },
  ],
  ...{ interval, strategy: rules, settings: plainSettings },
});

/** Inputs of tasks that are not those of an analysis about the candles with its parameters. */
const inputs: Record<string, (market: Market) => object> = {
  'assess-risk': ({ candles, other }) => ({ candles, leading: other, isLeading: false, side: 'long' }),
  'calibrate-risk': ({ candles, other }) => ({ candles, leading: other, isLeading: false }),
  backtest: ({ candles, interval }) => ({
    ...{ candles, interval, ...sampleTrading, period: '1y', costs: sampleCosts },
    targets: new Int8Array(candles.time.length).fill(target.long),
  }),
  'core-line': ({ candles, interval }) => ({ candles, interval }),
  'earlier-chart': ({ candles, interval }) => ({
    ...{ candles, interval, params: { beforeMs: candles.time[50], limit: 20 } },
  }),
  decide: ({ candles, interval }) => ({
    ...{ candles, interval, strategy: 'ema_cross', params: sampleTrading.params, seed: 1 },
  }),
  'decide-rules': ({ candles, interval }) => ({ candles, interval, strategy: rules, rankBy: null, seed: 1 }),
  'luck-of-rules': ({ candles, interval }) => ({ ...tradedRules(candles, interval), paths: 200, seed: 1 }),
  'trade-rules': ({ candles, interval }) => ({ ...tradedRules(candles, interval), checkSeed: 1 }),
  // It takes the candles for those of days.
  'portfolio-risk': (market) => ({ ...usualInput('portfolio-risk', market), interval: '1d' }),
  'tail-risk': ({ candles, other }) =>
    usualInput('tail-risk', { candles: asDays(candles), other: asDays(other), interval: '1d' }),
  'trend-state': ({ candles, other, interval }) => ({
    series: [
      { interval, candles },
      { interval: '1d', candles: other },
    ],
  }),
};

/** A usual input of a task, about any candles. */
export const taskInput = (name: string, market: Market): object =>
  inputs[name]?.(market) ?? usualInput(name, market);

function usualInput(name: string, { candles, other, interval }: Market): object {
  const params = reachingParams(name, candles.close.at(-1));
  if (!params) throw new Error(`there is no input for task "${name}"`);
  const { needs } = analysisNamed(name) ?? { needs: 'series' };
  if (needs === 'nothing') return { params };
  if (needs === 'series') return { candles, interval, params };
  const pairs = [
    { asset: 'AAA', tradeMarket: 'USDT', candles },
    { asset: 'BTC', tradeMarket: 'USDT', candles: other },
  ];
  return { pairs, interval, params };
}
