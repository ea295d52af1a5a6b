import Joi from 'joi';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { backtestOutput, type BacktestOutput } from '../analysis/backtest.js';
import { askedOf } from './backtest-parts.js';
import { readBacktest } from './read-backtest.js';
import type { BacktestMarks } from '../../../storage/backtests/backtest-marks.js';
import {
  backtestId,
  markFields,
  shownBacktest,
  storedTimes,
  type BacktestIdInput,
} from './stored-backtest-fields.js';

export type GetBacktestOutput = BacktestOutput &
  Pick<ReturnType<typeof shownBacktest>, 'createdAt' | 'expiresAt' | keyof BacktestMarks>;

/** The whole report of a backtest that the user has run. */
export const getBacktest = defineOperation<BacktestIdInput, GetBacktestOutput>({
  id: 'get-backtest',
  summary: 'The whole report of a backtest that you ran in the last 90 days, one of your 200 newest.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 1,
  isLight: true,
  input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
  output: backtestOutput.keys(
    keysOf({ ...storedTimes, ...markFields }, 'answer'),
  ) as unknown as Joi.ObjectSchema<GetBacktestOutput>,
  errors: ['unknown_backtest'],
  async handle({ id }, deps, caller) {
    const { backtest, report } = await readBacktest<BacktestResult>('builtIn', id, deps, caller);
    const { createdAt, expiresAt, name, note, isKept, share } = shownBacktest(backtest, deps.settings);
    return {
      payload: {
        ...report,
        ...askedOf(backtest),
        createdAt,
        expiresAt,
        name,
        note,
        isKept,
        share,
      } as GetBacktestOutput,
    };
  },
});
