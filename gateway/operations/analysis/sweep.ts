import Joi from 'joi';
import { seriesFields } from '../../../compute/model/asset-fields.js';
import { fieldsOf, type Values } from '../../../compute/model/field.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { runSweep, sweepDescription, sweepSettings } from '../../../jobs/definitions/sweep.js';
import { defineOperation } from '../../operation.js';
import { CallerRunOptions } from '../run-options.js';
import { findSeries, secondsToNextClose, keyAndDigest } from './series-input.js';

const inputFields = { ...seriesFields, ...sweepDescription.params };

type SweepOutput = Awaited<ReturnType<typeof runSweep>> & { source: string };

/** Backtests of every combination of a grid of parameters. Its chunks run on all compute nodes. */
export const sweep = defineOperation({
  id: 'sweep',
  summary: 'Backtests a strategy with every combination of a grid of parameters and ranks them.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 20,
  input: Joi.object<Values<typeof inputFields>>(keysOf(inputFields)),
  output: Joi.object<SweepOutput>({
    ...keysOf(seriesFields, 'answer'),
    source: Joi.string().required().description('market the candles come from'),
    ...keysOf({ ...sweepDescription.fee, ...fieldsOf(sweepDescription.report) }, 'answer'),
  }),
  errors: ['not_enough_history', 'market_filling'],
  isLong: true,
  async handle(input, deps, caller) {
    const { asset, interval, tradeMarket, ...params } = input;
    const series = await findSeries(input, deps);
    const payload = { ...keyAndDigest(series), params: sweepSettings(params) };
    const report = await runSweep(deps.queues, payload, new CallerRunOptions(caller));
    return {
      payload: {
        asset,
        interval,
        tradeMarket,
        source: series.market,
        ...sweepDescription.feeOf(input),
        ...report,
      },
      ttl: secondsToNextClose(series),
    };
  },
});
