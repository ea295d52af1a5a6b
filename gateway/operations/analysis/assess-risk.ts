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
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation, type OperationResult } from '../../operation.js';
import { date, text } from '../output-fields.js';
import { runJob } from '../run-options.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { refuseWhileFilling } from './market-fill.js';
import { findSeries, secondsToNextClose, type SeriesFieldNames, keyAndDigest } from './series-input.js';

export interface AssessRiskInput {
  coin: string;
  trade_market: string;
  trade_side: TradeSide;
}

export interface AssessRiskOutput extends RiskAssessment {
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
  input: Joi.object<AssessRiskInput>(
    keysOf({
      coin: assetField,
      trade_market: tradeMarketField,
      trade_side: field.choice('side of the trade', tradeSides, { default: 'long' }),
    }),
  ),
  output: Joi.object<AssessRiskOutput>({
    ...keysOf(riskAssessmentFields, 'answer'),
    source: text('market the candles come from'),
    asOf: date('close time of the last candle, ISO 8601, UTC'),
  }),
  errors: ['not_enough_history', 'market_filling'],
  handle: ({ coin: asset, trade_market: tradeMarket, trade_side: side }, deps, caller) =>
    assess({ asset, tradeMarket, side }, fieldNames, deps, caller),
});

const inputFields = {
  asset: assetField,
  tradeMarket: tradeMarketField,
  side: field.choice('side of the trade', tradeSides, { default: 'long' }),
};

type TradeRiskInput = Values<typeof inputFields>;

/** The same for everybody, with the fields of other analyses. */
export const assessTradeRisk = defineOperation({
  ...assessRisk,
  id: 'assess-trade-risk',
  tokenScope: 'read:analysis',
  input: Joi.object<TradeRiskInput>(keysOf(inputFields)),
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
