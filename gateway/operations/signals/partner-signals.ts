import { findOwnSignal, signalIdInput } from './signal-id.js';
import Joi from 'joi';
import type { SignalStatus } from '../../../storage/signals/partner-signal.js';
import { definePartnerOperation } from '../../partner-operation.js';
import { readInput } from '../../operation.js';
import { date, list, objectField, text, answerOf } from '../output-fields.js';
import type { SignalIdField } from './define-signal-command.js';
import { signalView, signalViewFields } from './signal-view.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';

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
