import type { SeriesKey } from '../../../storage/candles/series.js';
import { plainSettings } from '../rules/run-rules.js';
import { analysisNamed, reachingParams, sampleCosts, sampleTrading } from './sample-params.js';

const ownRules = (key: SeriesKey, digest: string) => ({
  series: [{ asset: key.base, key, digest }],
  strategy: { long: { entry: { left: 'ema_5', op: '>', right: 'ema_12' }, stopLoss: { percent: 3 } } },
  settings: plainSettings,
});

/** Data of jobs that are not those of an analysis with its parameters. */
const payloads: Record<string, (key: SeriesKey, digest: string) => object> = {
  'assess-risk': (key, digest) => ({ key, digest, leadingDigest: digest, side: 'long' }),
  backtest: (key, digest) => ({ key, digest, ...sampleTrading, costs: sampleCosts }),
  'calibrate-risk': (key, digest) => ({ key, digest, leadingDigest: digest }),
  'core-line': (key, digest) => ({ key, digest }),
  'earlier-chart': (key, digest) => ({ key, digest, beforeMs: Date.UTC(2040, 0, 1), limit: 20 }),
  'luck-of-rules': (key, digest) => ({ ...ownRules(key, digest), paths: 200, seed: 1 }),
  'refresh-core-line': (key, digest) => ({ key, digest }),
  'research-backtest': (key, digest) => ({ ...ownRules(key, digest), strategyHash: 'a hash', params: {} }),
  'trend-state': ({ market, base, quote }) => ({ market, base, quote, version: '1', params: {} }),
};

/** Usual data of a job, about the 1h series of AAA/USDT and BTC/USDT of an imported market. */
export function jobPayload(name: string, key: SeriesKey, digest: string): object {
  if (payloads[name]) return payloads[name](key, digest);
  const params = reachingParams(name);
  if (!params) throw new Error(`there are no data for job "${name}"`);
  const { needs, interval = key.interval } = analysisNamed(name) ?? { needs: 'series' };
  if (needs === 'nothing') return { params };
  if (needs === 'series') return { key, digest, params };
  const { market } = key;
  return { market, interval, tradeMarket: 'USDT', assets: ['AAA', 'BTC'], version: '1', params };
}
