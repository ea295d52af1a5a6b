import Joi from 'joi';
import { field } from '../../../compute/model/field.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { StoredBacktest } from '../../../storage/backtests/backtests.js';
import { defineOperation } from '../../operation.js';
import { storedBacktestFields } from './stored-backtest-fields.js';
import { storedPage } from './stored-page.js';

export interface ListBacktestsInput {
  limit: number;
  cursor: string | null;
}

export interface ListBacktestsOutput {
  /** The newest first. Times are ISO 8601, UTC. */
  backtests: (Omit<StoredBacktest, 'createdAt' | 'expiresAt'> & { createdAt: string; expiresAt: string })[];
  nextCursor: string | null;
}

/** The input of a list of stored runs. */
export const pageInput = {
  limit: field.integer('most entries of the answer', { min: 1, max: 100, default: 20 }),
  cursor: field.nullable(field.text('nextCursor of the page before', { maxLength: 200 }), { default: null }),
};

const output = {
  backtests: field.list('the newest first', field.object('a stored backtest', storedBacktestFields)),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

/** The backtests that the user has run. */
export const listBacktests = defineOperation<ListBacktestsInput, ListBacktestsOutput>({
  id: 'list-backtests',
  summary: 'The backtests that you ran in the last 90 days, the newest first; 200 are kept.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 1,
  isLight: true,
  input: Joi.object<ListBacktestsInput>(keysOf(pageInput)),
  output: Joi.object<ListBacktestsOutput>(keysOf(output, 'answer')),
  leadsTo: ['get-backtest', 'backtest-trades', 'backtest-equity', 'delete-backtest'].map((to) => ({
    to,
    fields: { id: 'payload/backtests/0/id' },
  })),
  async handle(page, deps, caller) {
    const { runs, nextCursor } = await storedPage('builtIn', page, deps, caller);
    return { payload: { backtests: runs.map(withTimes), nextCursor } };
  },
});

/** A stored run whose times are ISO 8601. */
export const withTimes = <Run extends { createdAt: Date; expiresAt: Date }>({
  createdAt,
  expiresAt,
  ...rest
}: Run) => ({ ...rest, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() });
