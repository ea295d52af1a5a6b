import Joi from 'joi';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { RunKind } from '../../../storage/backtests/backtests.js';
import { defineOperation } from '../../operation.js';
import { backtestId, unknownBacktest, type BacktestIdInput } from './stored-backtest-fields.js';

/** An operation that deletes a stored run of the caller. */
export const runDeletion = (kind: RunKind, id: string, summary: string) =>
  defineOperation({
    id,
    summary,
    scope: 'user',
    tokenScope: 'write:strategies',
    input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
    output: Joi.object<BacktestIdInput>(keysOf({ id: backtestId }, 'answer')),
    errors: ['unknown_backtest'],
    async handle({ id }, { storage, backtestWriter }, { user }) {
      const { userId } = user!;
      await backtestWriter.settled(userId);
      if (!(await storage.backtests.remove(userId, kind, id))) throw unknownBacktest(id);
      return { payload: { id } };
    },
  });
