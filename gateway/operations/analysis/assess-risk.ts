import Joi from 'joi';
import { assetField, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { AppError } from '../../../compute/model/errors.js';
import { field, type Values } from '../../../compute/model/field.js';
import { intervalMs } from '../../../compute/model/interval.js';
import {
  neededCandles,
  riskAssessmentFields,
  tradeSides,
  type RiskAssessment,
  type TradeSide,
} from '../../../compute/model/risk-assessment.js';
import { assessRiskJob, leadingPair, type AssessRiskJobData } from '../../../jobs/definitions/assess-risk.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation, type OperationResult } from '../../operation.js';
import { date, text } from '../output-fields.js';
import { runJob } from '../run-job.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import {
  refuseWhileFilling,
  findSeries,
  secondsToNextClose,
  type SeriesFieldNames,
  keyAndDigest,
} from './series-input.js';
import { boundedCache } from '../../../storage/process/bounded-cache.js';
import type { Storage } from '../../../storage/index.js';
import { riskCalibrationFields } from '../../../compute/model/risk-calibration.js';
import { describedOperation } from './described-operation.js';

const side = field.choice('side of the trade', tradeSides, { default: 'long' });

interface AssessRiskOutput extends RiskAssessment {
  /** The market that the candles come from. */
  source: string;
  /** Close time of the last candle, ISO 8601, UTC. */
  asOf: string;
}

const fieldNames = { asset: 'coin', tradeMarket: 'trade_market', interval: 'coin' };

export const assessRisk = defineOperation({
  id: 'assess-risk',
  summary:
    'How risky a trade on one side of a pair is now, with the readings, the score and the reasons for it.',
  cost: 2,
  hasEtag: true,
  input: objectSchema({ coin: assetField, trade_market: tradeMarketField, trade_side: side }),
  output: Joi.object<AssessRiskOutput>({
    ...keysOf(riskAssessmentFields, 'answer'),
    source: text('market the candles come from'),
    asOf: date('close time of the last candle, ISO 8601, UTC'),
  }),
  errors: ['not_enough_history', 'market_filling'],
  handle: ({ coin: asset, trade_market: tradeMarket, trade_side: side }, deps, caller) =>
    assess({ asset, tradeMarket, side }, fieldNames, deps, caller),
});

const inputFields = { asset: assetField, tradeMarket: tradeMarketField, side };

type TradeRiskInput = Values<typeof inputFields>;

/** The same for everybody, with the fields of other analyses. */
export const assessTradeRisk = defineOperation({
  ...assessRisk,
  id: 'assess-trade-risk',
  tokenScope: 'read:analysis',
  input: objectSchema(inputFields),
  handle: (input, deps, caller) =>
    assess(input, { asset: 'asset', tradeMarket: 'tradeMarket', interval: 'asset' }, deps, caller),
});

/** The assessment by the candles that are stored; `names` are those of the fields for error messages. */
async function assess(
  { asset, tradeMarket, side }: TradeRiskInput,
  names: SeriesFieldNames,
  deps: Deps,
  caller: Caller,
): Promise<OperationResult<AssessRiskOutput>> {
  const series = await findSeries({ asset, tradeMarket, interval: '1h' }, deps, names);
  requireHistory(`"${asset}/${tradeMarket}"`, series.count, names.asset);
  const leadingDigest = await findLeading(series.market, deps);
  const payload = { ...keyAndDigest(series), leadingDigest, side };
  const { result } = await runJob(assessRiskJob, payload, deps, caller);
  const assessment = {
    ...result,
    source: series.market,
    asOf: utcTime(series.last + intervalMs('1h')),
  };
  return { payload: assessment, ttl: secondsToNextClose(series), etag: digestOf(payload) };
}

/** The digest of the leading pair's candles. Throws `not_enough_history` where there are too few, `market_filling` while they come. */
async function findLeading(market: string, deps: Deps): Promise<string> {
  const { base, quote } = leadingPair;
  const leading = await deps.series.find({ market, base, quote, interval: '1h' });
  if (!leading) await refuseWhileFilling(leadingPair, deps, [leadingPair]);
  requireHistory(`the leading pair "${base}/${quote}"`, leading?.count ?? 0);
  return leading!.digest;
}

function requireHistory(whose: string, found: number, field?: string): void {
  if (found >= neededCandles) return;
  const message = `a risk assessment needs ${neededCandles} closed 1h candles of ${whose}, found ${found}`;
  const details = { needed: neededCandles, found, ...(field === undefined ? {} : { field }) };
  throw new AppError('not_enough_history', message, { details });
}

/** Names an assessment by all that it depends on. */
const digestOf = ({ digest, leadingDigest, side }: AssessRiskJobData) =>
  `${digest.slice(0, 16)}-${leadingDigest.slice(0, 16)}-${side}`;

interface CalibratedRiskOutput extends AssessRiskOutput {
  calibration: string | null;
}

/** Calibrations change nightly. */
const keptMs = 10 * 60_000;

/** By market and side; an empty line stands for none yet. */
const lines = boundedCache<string>(100, { ttl: keptMs });

/** A risk assessment, and in one line how well its label has foretold adverse moves on this market so far. */
export const calibratedRisk = defineOperation({
  ...assessRisk,
  id: 'calibrated-risk',
  output: (assessRisk.output as unknown as Joi.ObjectSchema<CalibratedRiskOutput>).keys({
    calibration: text(
      'how well the labels of this side have foretold adverse moves, over all assets; null before the first nightly computation',
    ).allow(null),
  }),
  async handle(input, deps, caller) {
    const [{ payload, ttl }, line] = await Promise.all([
      assessRisk.handle(input, deps, caller),
      lineOf(deps.settings.MARKET, input.trade_side, deps.storage),
    ]);
    return { payload: { ...payload, calibration: line || null }, ...(ttl === undefined ? {} : { ttl }) };
  },
});

async function lineOf(
  market: string,
  side: TradeSide,
  { riskCalibrations }: Pick<Storage, 'riskCalibrations'>,
): Promise<string> {
  const key = `${market} ${side}`;
  const known = lines.get(key);
  if (known !== undefined) return known;
  const found = await riskCalibrations.find({ market, pair: null });
  const line = found?.calibration.sides.find((each) => each.side === side)?.line ?? '';
  lines.set(key, line);
  return line;
}

const input = {
  asset: field.nullable(field.text('asset symbol; null: all assets of the market', { maxLength: 20 }), {
    default: null,
  }),
  tradeMarket: tradeMarketField,
};

const output = {
  source: field.text('market the candles come from'),
  calibration: field.nullable(
    field.object('labels and what followed them', {
      pairs: field.count('pairs that it was computed from'),
      computedAt: field.text('time of the computation, ISO 8601'),
      ...riskCalibrationFields,
    }),
  ),
  reason: field.nullable(field.text('why there is no calibration; null where there is one')),
};

export const riskCalibration = describedOperation({
  id: 'risk-calibration',
  summary:
    'Whether the labels of assess-risk foretold adverse moves so far: the mean worst move within 24 hours and 7 days by label and side, computed nightly.',
  input,
  output,
  async handle({ asset, tradeMarket }, { storage, settings }) {
    const { MARKET: market } = settings;
    const pair = asset === null ? null : { base: asset, quote: tradeMarket };
    const found = await storage.riskCalibrations.find({ market, pair });
    if (!found) return { payload: { source: market, calibration: null, reason: reasonOf(pair) } };
    const { pairs, computedAt, calibration } = found;
    const payload = { pairs, computedAt: computedAt.toISOString(), ...calibration };
    return { payload: { source: market, calibration: payload, reason: null } };
  },
});

const reasonOf = (pair: { base: string; quote: string } | null): string =>
  `${pair ? `"${pair.base}/${pair.quote}"` : 'the market'} has no calibration yet: it is computed nightly, from pairs with 250 candles of 1h and 24 hours after them`;
