import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { list, text } from '../output-fields.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import { summaryFields, summaryOf, type StrategySummary } from './saved-strategy-fields.js';

interface SavedStrategiesOutput {
  strategies: StrategySummary[];
  nextCursor: string | null;
}

/** A place in the order of saved strategies: time and id. */
const place = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z str_[a-z2-7]{20}$/;

/** The strategies that the user has saved. */
export const listSavedStrategies = defineOperation<PageInput, SavedStrategiesOutput>({
  id: 'list-saved-strategies',
  summary: 'The strategies that you have saved, without their rules; the one changed last is first.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 1,
  isLight: true,
  input: Joi.object<PageInput>(pageFields),
  output: Joi.object<SavedStrategiesOutput, true>({
    strategies: list(
      Joi.object<StrategySummary, true>(summaryFields),
      'with their newest version; the one changed last is first',
    ),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [{ to: 'get-saved-strategy', fields: { id: 'payload/strategies/0/id' } }],
  async handle({ limit, cursor }, { storage }, { user }) {
    const after = readCursor(cursor, place);
    const { strategies, next } = await storage.savedStrategies.list(user!.userId, { limit, after });
    return { payload: { strategies: strategies.map(summaryOf), nextCursor: writeCursor(next) } };
  },
});
