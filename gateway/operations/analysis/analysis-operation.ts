import Joi from 'joi';
import { fieldError } from '../../../compute/model/errors.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Caller, Deps } from '../../context.js';
import { findPairTerms } from '../exchanges/exchange-rules.js';
import type { AnyAnalysis } from '../../../compute/analyses.js';
import { dayOfWeekAt, marketSessionAt } from '../../../compute/model/calendar.js';
import { fieldsOf, type Fields } from '../../../compute/model/field.js';
import { assetField, intervalField, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { once } from '../../../storage/process/once.js';
import type { Operation } from '../../operation.js';
import { date, shownOf, text } from '../output-fields.js';
import { LazyResult, runJob } from '../run-job.js';
import { candleFinders, withAssetField, type AnalysisInput } from './candle-finders.js';
import { presenterOf } from './described-operation.js';
import { pageOfStates, type PairState, type ScanParams } from '../../../compute/core-line/scan-states.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';

type Given = Record<string, unknown>;

/**
 * The parameters, with the order rules of their pair for those that are null. Without an exchange they are those of the paper
 * exchange where it trades; without an asset nothing changes. A position with leverage or on the short side is one of the
 * futures account. Throws `invalid_input`, `exchange_unavailable`.
 */
async function withPairTerms(given: Given, deps: Deps, caller: Caller): Promise<Given> {
  const { asset, tradeMarket, side, leverage } = given as Record<string, string | null>;
  const exchange = exchangeOf(given, deps);
  if (exchange === null) return given;
  if (asset === null) throw fieldError('asset', '"asset" is required with "exchange"');
  const isPosition = side === 'short' || Number(leverage) > 1;
  const account = isPosition ? 'FUTURES' : 'SPOT';
  const pair = { base: asset, quote: tradeMarket! };
  const terms = await findPairTerms({ exchange, pair, account }, deps, caller);
  if (terms.maxLeverage !== null && Number(leverage) > Number(terms.maxLeverage))
    throw fieldError('leverage', `"leverage" must be at most ${terms.maxLeverage}, found ${leverage}`);
  return {
    ...given,
    step: given.step ?? terms.quantityStep,
    tick: given.tick ?? terms.priceTick,
    minNotional: given.minNotional ?? (Number(terms.minNotional) === 0 ? null : terms.minNotional),
    feePercent: given.feePercent ?? terms.takerPercent,
  };
}

/** The exchange that is asked for, else the paper exchange, which trades the pairs of the demo market; null for none. */
function exchangeOf({ exchange, asset }: Given, { settings }: Pick<Deps, 'settings'>): string | null {
  if (typeof exchange === 'string') return exchange;
  return asset !== null && settings.MARKET === 'demo' ? paperName : null;
}

/** What the job of a scan is asked for: all rows, where the figure that sorts them is of now. */
const scanOfAll = (params: Record<string, unknown>): Record<string, unknown> =>
  params.sort === 'change24h' ? { ...params, sort: null, limit: null, cursor: null } : params;

/**
 * The rows of a scan with the 24h change of now, which prices and positions tell as well: candles of a day would tell that of the
 * last midnight. Pairs against other currencies keep the change of their candles.
 */
async function withLiveChanges(
  scan: { states: readonly PairState[] },
  params: Record<string, unknown>,
  { exchanges }: Pick<Deps, 'exchanges'>,
): Promise<object> {
  const assets = scan.states
    .filter(({ tradeMarket }) => tradeMarket === quoteCurrency)
    .map(({ asset }) => asset);
  const prices = await exchanges.pricesOf(paperName, assets);
  const states = scan.states.map((row) => {
    const price = row.tradeMarket === quoteCurrency ? prices.get(row.asset) : undefined;
    const change = price?.change24hPercent ?? null;
    return change === null ? row : { ...row, change24h: change, change24hAt: price!.time };
  });
  if (params.sort !== 'change24h') return { ...scan, states };
  const sorted = states.sort((one, other) => (other.change24h ?? -Infinity) - (one.change24h ?? -Infinity));
  const asOfMs = Math.max(0, ...states.map(({ asOf }) => asOf ?? 0));
  return pageOfStates(sorted, params as ScanParams, asOfMs);
}

/** The fields that say which candles an analysis reads, besides its parameters. */
export function candleFields({ needs, interval }: AnyAnalysis): Fields {
  if (needs === 'nothing') return {};
  return {
    ...(needs === 'series' || needs === 'intervals' ? { asset: assetField } : {}),
    ...(interval === undefined && needs !== 'intervals' ? { interval: intervalField } : {}),
    tradeMarket: tradeMarketField,
  };
}

/** The source fields of every answer about candles. An `asOf` in the output of an analysis replaces this one. */
const sourceKeys = {
  source: text('market the candles come from'),
  asOf: date('close time of the newest stored candle of those that were read'),
};

/** The operation that answers an analysis: everything follows from its description. */
export function analysisOperation(analysis: AnyAnalysis): Operation<AnalysisInput, object> {
  const { name, summary, needs, params, scope, cost, output } = analysis;
  const about = candleFields(analysis);
  const find = candleFinders[needs];
  const present = presenterOf(output);
  const hasCandles = needs !== 'nothing';
  const isScan = name === 'scan-states';
  const hasSession = 'marketSession' in fieldsOf(output);
  const atNow = (payload: object, nowMs: number | null) =>
    hasSession && nowMs !== null ? { ...payload, ...sessionAt(nowMs) } : payload;
  const inputOf = once(() => Joi.object<AnalysisInput>({ ...keysOf(about), ...keysOf(params) }));
  const outputOf = once(() =>
    Joi.object<object>({
      ...keysOf(about, 'answer'),
      ...(hasCandles ? sourceKeys : {}),
      ...keysOf(fieldsOf(output), 'answer'),
    }),
  );
  return {
    id: name,
    summary,
    scope,
    tokenScope: 'read:analysis',
    cost,
    get input() {
      return inputOf();
    },
    get output() {
      return outputOf();
    },
    errors: [
      ...(hasCandles ? (['not_enough_history', 'market_filling'] as const) : []),
      ...(analysis.usesPairTerms ? (['exchange_unavailable'] as const) : []),
    ],
    ...(analysis.phases ? { isLong: true } : {}),
    async handle(input, deps, caller) {
      const given = shownOf(params, input);
      const { choice, context, ttl } = await find(analysis, input, given, deps);
      const completed = analysis.usesPairTerms
        ? await withPairTerms(given, deps, caller)
        : isScan
          ? scanOfAll(given)
          : given;
      const data = { ...choice, params: completed };
      const answer = await runJob(analysisJob(analysis), data, deps, caller).catch((error: unknown) => {
        throw withAssetField(error, analysis, given);
      });
      const nowMs = deps.settings.MARKET === 'csv' ? null : Date.now();
      const result = isScan
        ? await withLiveChanges(answer.result as Parameters<typeof withLiveChanges>[0], given, deps)
        : answer.result;
      const make = () => ({ ...context, ...atNow(present(result) as object, nowMs) });
      // Without candles, and with a session, the answer depends on the time at which it is asked.
      const isTimeless = hasCandles && !hasSession && !isScan;
      return new LazyResult({
        make,
        resultId: isTimeless ? answer.id : undefined,
        ttl:
          ttl === undefined
            ? ttl
            : Math.min(ttl, isScan ? liveSeconds : hasSession ? secondsToNextHour() : ttl),
      });
    },
  };
}

/** The session that a market is in: that of now, whenever its newest candle has closed. In an imported market time stands still. */
const sessionAt = (nowMs: number) => ({
  marketSession: marketSessionAt(nowMs),
  dayOfWeek: dayOfWeekAt(nowMs),
});

/** How long a price of now is one. */
const liveSeconds = 10;

const secondsToNextHour = (): number => Math.ceil((3_600_000 - (Date.now() % 3_600_000)) / 1_000);
