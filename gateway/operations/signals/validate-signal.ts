import Joi from 'joi';
import { noDefaults, type ChannelDefaults } from '../../../storage/signals/channel.js';
import type { Caller, Deps } from '../../context.js';
import { definePartnerOperation, type PartnerOperation } from '../../partner-operation.js';
import { flag, list, objectField, oneOf, text, answerOf, type Answered } from '../output-fields.js';
import { channelOf, createV1Body, createV2Body } from './create-signal.js';
import { marketFaults, signalMarket } from './market-faults.js';
import { readSignal } from './read-signal.js';
import { termsOf } from './signal-draft.js';
import { signalOutlook, outlookFields } from './signal-outlook.js';
import { defineOperation } from '../../operation.js';

interface SentBody {
  given: Record<string, unknown>;
}

export type ValidatedSignal = Answered<typeof validatedSignalFields>;

const validatedSignalFields = {
  valid: flag('whether create would accept it'),
  faults: list(
    objectField(
      {
        field: text('the field').allow(''),
        kind: oneOf(['missing', 'content'], 'whether it is missing or wrong'),
        message: text('what was expected and what was found'),
      },
      'a fault',
    ),
    'all faults; create would answer the first',
  ),
  outlook: objectField(outlookFields, 'what can be told of the signal; null with faults').allow(null),
};

const defineValidate = (
  version: 1 | 2,
  facts: Pick<PartnerOperation<SentBody, ValidatedSignal>, 'id' | 'summary' | 'input'>,
): PartnerOperation<SentBody, ValidatedSignal> =>
  definePartnerOperation({
    ...facts,
    counts: 'commands',
    output: answerOf(validatedSignalFields),
    read: (given) => ({ given }),
    async handle({ given }, deps, caller) {
      const channel = await channelOf(caller, deps);
      return {
        payload: await validatedSignal(version, given, channel?.defaults ?? noDefaults, deps, caller),
      };
    },
  });

/** Says what is wrong with a signal of version 1, and what can be told of it. Nothing is stored. */
export const validateSignalV1 = defineValidate(1, {
  id: 'validate-signal-v1',
  summary:
    'A dry run of POST /v1/signal: all faults, R multiples, distances and warnings; nothing is stored.',
  input: createV1Body,
});

/** Says what is wrong with a signal of version 2, and what can be told of it. Nothing is stored. */
export const validateSignalV2 = defineValidate(2, {
  id: 'validate-signal-v2',
  summary:
    'A dry run of POST /v2/signal: all faults, R multiples, distances and warnings; nothing is stored.',
  input: createV2Body,
});

/** All faults of a signal, and its outlook where it has none. */
async function validatedSignal(
  version: 1 | 2,
  given: Record<string, unknown>,
  defaults: ChannelDefaults,
  deps: Deps,
  caller: Omit<Caller, 'user'>,
): Promise<ValidatedSignal> {
  const { draft, faults } = readSignal(version, given, deps, defaults);
  if (!draft || faults.length > 0) return { valid: false, faults, outlook: null };
  const market = await signalMarket(draft, deps, caller);
  const found = marketFaults(draft, market);
  if (found.length > 0 || market.rules === 'untraded') return { valid: false, faults: found, outlook: null };
  return { valid: true, faults: [], outlook: signalOutlook(termsOf(draft), market.price, market.rules) };
}

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
