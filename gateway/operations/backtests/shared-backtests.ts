import { describedOperation } from '../analysis/described-operation.js';
import { backtestId, sharedUrl, shareFields, unknownBacktest, markFields, askedOf } from './stored-runs.js';
import type Joi from 'joi';
import { fieldError } from '../../../compute/model/errors.js';
import { field } from '../../../compute/model/field.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { backtestOutput, type BacktestOutput } from '../analysis/backtest.js';

const about = {
  name: markFields.name,
  ranAt: field.time('when it was run last'),
  sharedAt: field.time('since when it is shared'),
};

type SharedBacktest = BacktestOutput & { name: string | null; ranAt: string; sharedAt: string };

export const getSharedBacktest = defineOperation({
  id: 'get-shared-backtest',
  summary: 'The report of a backtest that its user shares by this token.',
  tokenScope: 'read:analysis',
  isLight: true,
  input: objectSchema({
    token: field.text('token of the share', {
      pattern: /^[\w-]{22}$/,
      patternName: 'the token of a share',
      example: 'Jh2b9C0dTqmXbH1uQ5v7wA',
    }),
  }),
  output: backtestOutput.keys(keysOf(about, 'answer')) as unknown as Joi.ObjectSchema<SharedBacktest>,
  errors: ['unknown_backtest'],
  async handle({ token }, { storage }) {
    const found = await storage.markedBacktests.shared(token);
    if (!found) {
      const message = 'no backtest is shared by this token, or no longer';
      throw fieldError('token', message, 'unknown_backtest');
    }
    const { name, createdAt, share } = found.backtest;
    return {
      payload: {
        ...(JSON.parse(found.text) as BacktestResult),
        ...askedOf(found.backtest),
        name,
        ranAt: createdAt.toISOString(),
        sharedAt: share!.sharedAt.toISOString(),
      } as SharedBacktest,
    };
  },
});

const facts = {
  scope: 'user',
  tokenScope: 'write:strategies',
  input: { id: backtestId },
  errors: ['unknown_backtest'],
} as const;

export const shareBacktest = describedOperation({
  ...facts,
  id: 'share-backtest',
  summary: 'Lets everybody who has the token read the report; it is the same token until that ends.',
  output: shareFields,
  async handle({ id }, { settings, storage, backtestWriter }, { user }) {
    const { userId } = user!;
    await backtestWriter.settled(userId);
    const share = await storage.markedBacktests.share(userId, id);
    if (!share) throw unknownBacktest(id);
    const { token, sharedAt } = share;
    return { payload: { token, url: sharedUrl(token, settings), sharedAt: sharedAt.getTime() } };
  },
});

export const unshareBacktest = describedOperation({
  ...facts,
  id: 'unshare-backtest',
  summary: 'Ends that others can read the report of a backtest.',
  output: { id: backtestId },
  async handle({ id }, { storage, backtestWriter }, { user }) {
    const { userId } = user!;
    await backtestWriter.settled(userId);
    if (!(await storage.markedBacktests.unshare(userId, id))) throw unknownBacktest(id);
    return { payload: { id } };
  },
});
