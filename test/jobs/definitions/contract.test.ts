import assert from 'node:assert/strict';
import { allAnalyses } from '../../../compute/analyses.js';
import { AppError } from '../../../compute/model/errors.js';
import { exchangeJobs, jobs, type AnyJob } from '../../../jobs/definitions/index.js';
import { queueNames } from '../../../storage/cluster/queues.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { sourceNames } from '../../support/harness/source-folder.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import { plainSettings } from '../../support/rules/run-rules.js';
import {
  analysisNamed,
  reachingParams,
  sampleCosts,
  sampleTrading,
} from '../../support/jobs/sample-params.js';

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
function jobPayload(name: string, key: SeriesKey, digest: string): object {
  if (payloads[name]) return payloads[name](key, digest);
  const params = reachingParams(name);
  if (!params) throw new Error(`there are no data for job "${name}"`);
  const { needs, interval = key.interval } = analysisNamed(name) ?? { needs: 'series' };
  if (needs === 'nothing') return { params };
  if (needs === 'series') return { key, digest, params };
  const { market } = key;
  return { market, interval, tradeMarket: 'USDT', assets: ['AAA', 'BTC'], version: '1', params };
}

const all = jobs as unknown as readonly AnyJob[];
const ofAnalyses = new Set(allAnalyses.map(({ name }) => name));
const key = { market: 'csv', base: 'AAA', quote: 'USDT', interval: '1h' } as const;
const payloadOf = ({ name }: AnyJob, digest: string) => jobPayload(name, key, digest);

describe('the registry of jobs', () => {
  it('lists the files of its folder, and the job of every analysis', () => {
    const own = [...all, ...exchangeJobs].map(({ name }) => name).filter((name) => !ofAnalyses.has(name));
    assert.deepEqual(own.sort(), sourceNames('jobs/definitions'));
  });
});

describe('every job', () => {
  let service: TestService;
  let digest: string;
  const run = async (job: AnyJob, payload: unknown) =>
    (await service.deps.queues.run(job, payload, { traceId: 'test' })).result;
  const refusal = async (job: AnyJob, payload: unknown): Promise<AppError> => {
    try {
      await run(job, payload);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error(`"${job.name}" took ${JSON.stringify(payload)}`);
  };

  before(async () => {
    service = await openTestService({ computeNodes: 2 });
    const { candles, series } = service.storage;
    for (const [seed, base] of ['AAA', 'BTC'].entries())
      await candles.add({ market: 'csv', base, quote: 'USDT' }, randomCandles(24 * 120, { seed }));
    digest = (await series.find(key))!.digest;
  });
  after(() => service.close());

  for (const job of all) {
    describe(job.name, () => {
      it('knows its queue, and ends within a minute', () => {
        assert.ok(queueNames.includes(job.queue));
        assert.ok(job.timeoutMs >= 1_000 && job.timeoutMs <= 60_000);
      });

      it('gives the same answer on every node, as it is in the queue', async () => {
        const answers = await Promise.all([1, 2, 3, 4].map(() => run(job, payloadOf(job, digest))));
        assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1);
        assert.ok(answers[0] !== null && typeof answers[0] === 'object');
      });

      it('refuses a payload that lacks a field, or has one too many, and says which', async () => {
        const payload = payloadOf(job, digest) as Record<string, unknown>;
        for (const field of Object.keys(payload)) {
          const rest = Object.entries(payload).filter(([name]) => name !== field);
          const error = await refusal(job, Object.fromEntries(rest));
          assert.equal(error.code, 'invalid_input');
          assert.match(error.message, new RegExp(`job "${job.name}": .*"${field}`));
        }
        const error = await refusal(job, { ...payload, nonsense: 1 });
        assert.equal(error.code, 'invalid_input');
        assert.match(error.message, /"nonsense"/);
      });

      it('refuses a pair that is not stored', async () => {
        const payload = payloadOf(job, digest) as Record<string, unknown>;
        // A plan without candles is about no pair.
        if (Object.keys(payload).join() === 'params') return;
        const elsewhere =
          'key' in payload
            ? { key: { ...key, base: 'ZZZ' } }
            : 'series' in payload
              ? { series: [{ asset: 'ZZZ', key: { ...key, base: 'ZZZ' }, digest }] }
              : 'assets' in payload
                ? { assets: ['ZZZ'] }
                : { base: 'ZZZ' };
        const error = await refusal(job, { ...payload, ...elsewhere });
        assert.ok(['invalid_input', 'not_enough_history'].includes(error.code), error.code);
        assert.match(error.message, /ZZZ/);
      });
    });
  }
});
