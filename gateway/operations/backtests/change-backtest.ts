import Joi from 'joi';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { BacktestChange } from '../../../storage/backtests/backtest-marks.js';
import { mostKeptBacktests } from '../../../storage/backtests/marked-backtests.js';
import { defineOperation } from '../../operation.js';
import {
  backtestId,
  markFields,
  shownBacktest,
  storedBacktestFields,
  unknownBacktest,
  type BacktestIdInput,
} from './stored-backtest-fields.js';

type ChangeBacktestInput = BacktestIdInput & BacktestChange;

const line = (most: number, description: string) =>
  Joi.string().trim().min(1).max(most).allow(null).description(description);

/** Names and keeps a backtest. Fields that are left out stay as they are. */
export const changeBacktest = defineOperation<ChangeBacktestInput, ReturnType<typeof shownBacktest>>({
  id: 'change-backtest',
  summary: `Names, notes or keeps a stored backtest; one that is kept does not expire, ${mostKeptBacktests} at most.`,
  scope: 'user',
  tokenScope: 'write:strategies',
  cost: 1,
  input: Joi.object<ChangeBacktestInput>({
    ...keysOf({ id: backtestId }),
    name: line(80, 'name; null takes it away'),
    note: line(500, 'note; null takes it away'),
    isKept: Joi.boolean().description('whether it does not expire'),
  }),
  output: Joi.object<ReturnType<typeof shownBacktest>>(
    keysOf({ ...storedBacktestFields, ...markFields }, 'answer'),
  ),
  errors: ['unknown_backtest', 'too_many_backtests'],
  async handle({ id, ...change }, { settings, storage, backtestWriter }, { user }) {
    const { userId } = user!;
    await backtestWriter.settled(userId);
    const changed = await storage.markedBacktests.change(userId, id, change);
    if (!changed) throw unknownBacktest(id);
    return { payload: shownBacktest(changed, settings) };
  },
});
