import Joi from 'joi';
import { intervalField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import type { Interval } from '../../../compute/model/interval.js';
import type { TrendState } from '../../../compute/model/core-line.js';
import { analysisNamed } from '../../../compute/analyses.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import type { Position } from '../../../storage/accounts/positions.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { figure, intervalOutput, list, stateField, text, answerOf } from '../output-fields.js';
import { runJob } from '../run-job.js';
import { versionOf } from '../../../storage/candles/series.js';

const fields = keysOf({
  exchange: field.text('one of the connected exchanges alone, or PAPER', {
    maxLength: 20,
    means: 'exchange',
  }),
  interval: intervalField,
});

export const portfolio = defineOperation({
  id: 'portfolio',
  summary: 'The trend state of every asset you hold, on all exchanges or on one.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 5,
  input: Joi.object<{ exchange?: string; interval: Interval }>({
    exchange: fields.exchange.optional(),
    interval: fields.interval,
  }),
  output: answerOf({
    states: list(
      answerOf({
        asset: text('asset symbol'),
        state: stateField('state after the last closed candle'),
        price: figure('newest price where one is known, else the last close'),
      }),
      'each asset once, in alphabetical order',
    ),
    unknown: list(text('asset symbol'), 'assets that are held and have no state'),
    interval: intervalOutput(),
    source: text('market the candles come from'),
  }),
  leadsTo: [{ to: 'chart', fields: { asset: 'payload/states/0/asset' } }],
  isLong: true,
  async handle({ exchange, interval }, deps, caller) {
    if (exchange !== undefined) deps.exchanges.exchanges.requireName(exchange);
    const found = await deps.storage.positions.find(caller.user!.userId);
    const held = (found?.positions ?? []).filter(
      (each) => exchange === undefined || each.exchange === exchange,
    );
    const states = await statesOf(new Set(held.map(({ coin }) => coin)), interval, deps, caller);
    const shown = states.flatMap(({ asset, state, price }) => {
      const now = priceOf(asset, held) ?? price;
      return state === null || now === null ? [] : [{ asset, state, price: now }];
    });
    const named = new Set(shown.map(({ asset }) => asset));
    const unknown = [...new Set(held.map(({ coin }) => coin))].filter((coin) => !named.has(coin)).sort();
    return { payload: { states: shown, unknown, interval, source: deps.settings.MARKET } };
  },
});

const priceOf = (asset: string, held: readonly Position[]): number | null =>
  held.find(({ coin, currentPrice }) => coin === asset && currentPrice !== null)?.currentPrice ?? null;

/** The states of the assets that have stored candles. Users with the same assets share one computation. */
async function statesOf(
  coins: ReadonlySet<string>,
  interval: Interval,
  { settings, series, queues }: Deps,
  caller: Caller,
): Promise<{ asset: string; state: TrendState | null; price: number | null }[]> {
  const market = settings.MARKET;
  const keyOf = (base: string) => ({ market, base, quote: quoteCurrency, interval });
  const stored = await Promise.all([...coins].sort().map((base) => series.find(keyOf(base))));
  const found = stored.filter((each) => each !== null);
  if (found.length === 0) return [];
  const assets = found.map(({ base }) => base);
  const version = versionOf(found);
  const params = { state: null, sort: null, limit: null, cursor: null };
  const payload = { market, tradeMarket: quoteCurrency, interval, assets, version, params };
  const job = analysisJob(analysisNamed('scan-states'));
  return (await runJob(job, payload, { queues }, caller)).result.states;
}
