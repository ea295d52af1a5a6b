import Joi from 'joi';
import { type AppError, fieldError } from '../../../compute/model/errors.js';
import type { PartnerSignal, SignalStatus } from '../../../storage/signals/partner-signal.js';
import type { Deps } from '../../context.js';
import { type PartnerCaller, definePartnerOperation } from '../../partner-operation.js';
import { readInput } from '../../operation.js';
import { date, list, objectField, text, answerOf } from '../output-fields.js';
import type { SignalIdField } from './define-signal-command.js';
import { signalView, signalViewFields } from './signal-view.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';

const idField = 'parent_signal_id';
const idPattern = /^[0-9a-f]{24}$/;

/** The id of a signal in answers. */
export const signalIdOutput = Joi.string()
  .pattern(idPattern, 'an id')
  .required()
  .description('id of the signal');

/** The id of a signal that a request is about. */
export const signalIdInput = Joi.string()
  .required()
  .description('id of the signal, as create answered it; in path and body the same')
  .example('68a1f0c2e4b0a1b2c3d4e5f6');

/** The error for an id of which the partner has no signal, also where another partner has one. */
const unknownSignal = (): AppError =>
  fieldError(idField, `"${idField}" is not the id of one of your signals`);

/** Throws `invalid_input` unless path and body name the same signal. */
export function requireSameId(inPath: string | undefined, inBody: string): void {
  if (inPath === inBody) return;
  throw fieldError(idField, `"${idField}" must be the same in path and body`);
}

/** A signal of the calling partner. Throws `invalid_input`, with the same message for a signal of another partner. */
export async function findOwnSignal(
  id: string,
  { storage }: Pick<Deps, 'storage'>,
  { partner }: Pick<PartnerCaller, 'partner'>,
): Promise<PartnerSignal> {
  const found = idPattern.test(id) ? await storage.signals.find(partner.id, id) : null;
  if (!found) throw unknownSignal();
  return found;
}

const input = Joi.object<SignalIdField, true>({ parent_signal_id: signalIdInput });

export const getPartnerSignal = definePartnerOperation({
  id: 'get-partner-signal',
  summary:
    'One of your signals, with the prices it has now, its history and how many executions are in which state.',
  counts: 'commands',
  input: input,
  output: answerOf({
    ...signalViewFields,
    description: text('description; null without one').allow(null),
    images: list(text('address of an image'), 'images'),
    events: list(
      objectField(
        { at: date('when'), type: text('what happened'), cause: text('why, in words') },
        'an event',
      ),
      'the history, the oldest first',
    ),
  }),
  read: (given, path) => readInput(input, { ...given, parent_signal_id: path.parent_signal_id }, true),
  async handle({ parent_signal_id: id }, deps, caller) {
    const signal = await findOwnSignal(id, deps, caller);
    const counts = await deps.storage.executionCounts.of([signal]);
    return {
      payload: {
        ...signalView(signal, counts.get(id)),
        description: signal.terms.description,
        images: signal.terms.imageUrls,
        events: signal.events.map(({ at, type, cause }) => ({ at: at.toISOString(), type, cause })),
      },
    };
  },
});

const listPartnerSignalsInput = Joi.object<PageInput & { status: SignalStatus }>({
  status: Joi.string()
    .valid('active', 'cancelled')
    .default('active')
    .description('signals of this state; a cancelled signal leaves the list'),
  ...pageFields,
});

export const listPartnerSignals = definePartnerOperation({
  id: 'list-partner-signals',
  summary: 'Your signals, the newest first, with how many executions are in which state.',
  counts: 'commands',
  input: listPartnerSignalsInput,
  output: answerOf({
    source: text('market on whose prices executions on paper rest; demo: a made-up market'),
    signals: list(objectField(signalViewFields, 'a signal'), 'the newest first'),
    next_cursor: text('cursor of the next page; null at the end').allow(null),
  }),
  read: (given) => readInput(listPartnerSignalsInput, given, true),
  async handle({ status, limit, cursor }, { storage, settings }, { partner }) {
    const after = readCursor(cursor, /^[0-9a-f]{24}$/);
    const { signals, next } = await storage.signals.list({ partnerId: partner.id, status, after, limit });
    const counts = await storage.executionCounts.of(signals);
    return {
      payload: {
        source: settings.MARKET,
        signals: signals.map((signal) => signalView(signal, counts.get(signal.id))),
        next_cursor: writeCursor(next),
      },
    };
  },
});
