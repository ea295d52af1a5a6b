import Joi from 'joi';
import { answerOf } from '../output-fields.js';
import { noDefaults } from '../../../storage/signals/channel.js';
import { defineOperation } from '../../operation.js';
import { validatedSignal, validatedSignalFields } from './validate-signal.js';

const versions = { v1: 1, v2: 2 } as const;

const textOrNumber = Joi.alternatives(Joi.string().allow(''), Joi.number());

/** A field of any signal. What each has to be is checked with all faults at once. */
const fieldValue = Joi.alternatives(
  Joi.string().allow(''),
  Joi.number(),
  Joi.boolean(),
  Joi.object()
    .pattern(
      Joi.string(),
      Joi.alternatives(Joi.string().allow(''), Joi.number(), Joi.boolean(), Joi.array().items(textOrNumber)),
    )
    .description('formatted_text'),
).description('a field of the body');

/** A dry run of a signal. It needs no partner key, and no channel supplies omitted fields. */
export const checkSignal = defineOperation({
  id: 'validate-signal',
  summary:
    'A dry run of a signal without the key of a partner: all faults, R multiples, distances and warnings; nothing is stored.',
  input: Joi.object<{ version: keyof typeof versions; signal: Record<string, unknown> }, true>({
    version: Joi.string()
      .valid(...Object.keys(versions))
      .default('v2')
      .description('version of the API that the body is meant for'),
    signal: Joi.object()
      .pattern(Joi.string(), fieldValue)
      .required()
      .description('body as for POST /v1/signal or /v2/signal')
      .example({
        coin: 'BTC',
        trade_market: 'USDT',
        exchange: 'BINANCE',
        invest: 5,
        entry_price_max: '110',
        entry_price_min: '100',
        exit_price_1: '120',
        stop_loss: '80',
      }),
  }),
  output: answerOf(validatedSignalFields),
  async handle({ version, signal }, deps, caller) {
    return { payload: await validatedSignal(versions[version], signal, noDefaults, deps, caller) };
  },
});
