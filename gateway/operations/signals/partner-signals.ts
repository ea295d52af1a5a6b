import Joi from 'joi';
import { readInput } from '../../operation.js';
import { definePartnerOperation } from '../../partner-operation.js';
import { date, list, objectField, text, answerOf } from '../output-fields.js';
import type { SignalIdField } from './define-signal-command.js';
import { findOwnSignal, signalIdInput } from './signal-id.js';
import { signalView, signalViewFields } from './signal-view.js';

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
