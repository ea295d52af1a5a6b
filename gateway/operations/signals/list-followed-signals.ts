import Joi from 'joi';
import type { ExecutionStatus } from '../../../compute/signals/execution.js';
import { defineOperation } from '../../operation.js';
import { list, objectField, text } from '../output-fields.js';
import { writtenChoice } from '../../../jobs/definitions/shared/field-schema.js';
import { followedSignalFields, followedSignalView, type FollowedSignalView } from './followed-fields.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import { channelFilter } from './named-channels.js';
import { executionStatuses } from './signal-view.js';

interface FollowedSignalsInput extends PageInput {
  status?: ExecutionStatus;
  channel?: string;
}

interface FollowedSignalsOutput {
  signals: FollowedSignalView[];
  nextCursor: string | null;
}

/** The signals that were delivered to the user. */
export const listFollowedSignals = defineOperation<FollowedSignalsInput, FollowedSignalsOutput>({
  id: 'list-followed-signals',
  summary: 'The signals that were delivered to you, the newest first, with the state of their execution.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 1,
  isLight: true,
  input: Joi.object<FollowedSignalsInput>({
    status: writtenChoice(executionStatuses).description('only executions of this state'),
    channel: Joi.string().max(100).description('only signals of the channel with this name or id'),
    ...pageFields,
  }),
  output: Joi.object<FollowedSignalsOutput, true>({
    signals: list(objectField(followedSignalFields, 'a signal'), 'the newest first'),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [
    { to: 'get-followed-signal', fields: { parent_signal_id: 'payload/signals/0/parent_signal_id' } },
  ],
  async handle({ status, channel, limit, cursor }, { storage }, { user }) {
    const channelId = await channelFilter(channel, storage);
    const after = readCursor(cursor, /^[\w:-]{1,120}$/);
    const query = { userId: user!.userId, status, channelId, after };
    const found = await storage.executionReads.ofUser({ ...query, limit: limit + 1 });
    const page = found.slice(0, limit);
    const stored = await storage.signals.ofIds(page.map(({ signalId }) => signalId));
    const byId = new Map(stored.map((signal) => [signal.id, signal]));
    return {
      payload: {
        signals: page.flatMap((execution) => {
          const signal = byId.get(execution.signalId);
          return signal ? [followedSignalView(execution, signal)] : [];
        }),
        nextCursor: writeCursor(found.length > limit ? page.at(-1)!.id : null),
      },
    };
  },
});
