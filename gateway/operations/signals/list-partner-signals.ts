import Joi from 'joi';
import type { SignalStatus } from '../../../storage/signals/partner-signal.js';
import { readInput } from '../../operation.js';
import { definePartnerOperation } from '../../partner-operation.js';
import { list, objectField, text, answerOf } from '../output-fields.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import { signalView, signalViewFields } from './signal-view.js';

const input = Joi.object<PageInput & { status: SignalStatus }>({
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
  input,
  output: answerOf({
    source: text('market on whose prices executions on paper rest; demo: a made-up market'),
    signals: list(objectField(signalViewFields, 'a signal'), 'the newest first'),
    next_cursor: text('cursor of the next page; null at the end').allow(null),
  }),
  read: (given) => readInput(input, given, true),
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
