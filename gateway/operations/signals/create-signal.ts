import { createHash } from 'node:crypto';
import type Joi from 'joi';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import { noDefaults, type Channel } from '../../../storage/signals/channel.js';
import type { TradingHalt } from '../../../storage/signals/halts.js';
import type { SignalCommandEvent } from '../../../storage/signals/partner-signal.js';
import { announceSignal } from '../../../storage/signals/signal-wakes.js';
import type { Deps } from '../../context.js';
import {
  definePartnerOperation,
  type PartnerCaller,
  type PartnerOperation,
} from '../../partner-operation.js';
import { oneOf, type ValueOf, answerOf } from '../output-fields.js';
import { createV1Fields, createV2Fields, formattedText } from './create-fields.js';
import { marketFaults, signalMarket } from './market-faults.js';
import { distant, farthestEntry, readSignal } from './read-signal.js';
import { termsOf, type SignalDraft } from './signal-draft.js';
import { throwFaults } from './signal-faults.js';
import { signalIdOutput } from './signal-id.js';

export type CreatedSignal = ValueOf<typeof createdOutput>;

/** A body that was sent; it is checked once the channel is known, whose defaults complete it. */
interface SentSignal {
  given: Record<string, unknown>;
}

const createdOutput = answerOf({
  parent_signal_id: signalIdOutput,
  result: oneOf(['success'], 'that the signal is stored and will be delivered'),
});

/** The fields of version 1, none of them required, because formatted_text may stand in their place. */
export const createV1Body = createV1Fields
  .fork(Object.keys(createV1Fields.describe().keys as object), (field) => field.optional())
  .append({ formatted_text: formattedText }) as Joi.ObjectSchema<object>;

export const createV2Body = createV2Fields as unknown as Joi.ObjectSchema<object>;

const defineCreate = (
  version: 1 | 2,
  facts: Pick<PartnerOperation<SentSignal, CreatedSignal>, 'id' | 'summary' | 'input'>,
): PartnerOperation<SentSignal, CreatedSignal> =>
  definePartnerOperation({
    ...facts,
    counts: 'signals',
    output: createdOutput,
    errors: ['channel_halted'],
    read: (given) => ({ given }),
    async handle({ given }, deps, caller) {
      const channel = await channelOf(caller, deps);
      const { draft, faults } = readSignal(version, given, deps, channel?.defaults ?? noDefaults);
      throwFaults(faults);
      const { id, name } =
        channel ?? (await deps.storage.channels.firstOf(caller.partner.id, caller.partner.name));
      if (!(await isKnown(caller, deps))) {
        throwFaults(marketFaults(draft!, await signalMarket(draft!, deps, caller)));
        const halt = await deps.storage.halts.ofChannel(caller.partner.id, id);
        if (halt) throw channelHalted(name, halt);
      }
      const { idempotencyKey = null } = caller;
      const signal = await deps.storage.signals.add({
        partnerId: caller.partner.id,
        channelId: id,
        terms: termsOf(draft!),
        commands: defaultCommands(draft!, channel),
        idempotency:
          idempotencyKey === null ? null : { key: idempotencyKey, bodyHash: hashOf({ version, given }) },
      });
      if (signal === 'key_reused') throw keyReused();
      // If this fails, the sweeper of the signals workers finds the signal.
      await announceSignal(deps.redis, caller.partner.id).catch(() => undefined);
      return { payload: { parent_signal_id: signal.id, result: 'success' } };
    },
  });

/** Creates a signal in the form of version 1. */
export const createSignalV1 = defineCreate(1, {
  id: 'create-signal-v1',
  summary: 'Creates a signal with an entry range and up to 6 targets, in fields or as formatted_text.',
  input: createV1Body,
});

/** Creates a signal in the form of version 2. */
export const createSignalV2 = defineCreate(2, {
  id: 'create-signal-v2',
  summary: 'Creates a signal with up to 3 entry prices and 5 targets, leverage and margin.',
  input: createV2Body,
});

/** The channel that the signals of a key go to; null if the partner has none yet. */
export async function channelOf(
  { partner, key }: Pick<PartnerCaller, 'partner' | 'key'>,
  { storage }: Pick<Deps, 'storage'>,
): Promise<Channel | null> {
  const bound = key.channelId === null ? null : await storage.channels.find(key.channelId);
  return bound?.partnerId === partner.id ? bound : storage.channels.first(partner.id);
}

/** Whether the request was answered before: then the market of that time decided. */
const isKnown = async (
  { partner, idempotencyKey = null }: PartnerCaller,
  { storage }: Deps,
): Promise<boolean> =>
  idempotencyKey !== null && (await storage.signals.ofKey(partner.id, idempotencyKey)) !== null;

/** How far the worst price of a default trailing stop is from its trigger, in percent. */
const slackPercent = '1';

/** The trailing stop of the channel, for a signal without a stop. */
function defaultCommands(draft: SignalDraft, channel: Channel | null): SignalCommandEvent[] {
  const distance = channel?.defaults.trailingStopPercent ?? null;
  if (distance === null || draft.stopLoss !== null) return [];
  const away = draft.side === 'long' ? 'short' : 'long';
  const trigger = distant(farthestEntry(draft), distance, away);
  return [{ type: 'trailing_stop', stop: { trigger, limit: distant(trigger, slackPercent, away) } }];
}

/** SHA-256 of a JSON value, whatever the order of its keys. */
const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_key, each: unknown) => sorted(each)))
    .digest('base64url');

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const channelHalted = (name: string, { since, cause = 'by an operator' }: TradingHalt) =>
  new AppError(
    'channel_halted',
    `the channel "${name}" is halted since ${since.toISOString()}: ${cause}; it gets no new signals until the operator of the service resumes it`,
  );

const keyReused = () =>
  fieldError(
    'idempotency-key',
    'this idempotency-key was used for another body within 24 h',
    'invalid_input',
    { unknown: true },
  );
