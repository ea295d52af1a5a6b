import {
  runDeletion,
  unknownBacktest,
  markFields,
  shownBacktest,
  storedBacktestFields,
  backtestId,
  storedTimes,
  backtestIdInput,
  storedPage,
  askedOf,
} from './stored-runs.js';
import type { RunKind, StoredBacktest } from '../../../storage/backtests/backtests.js';
import type { Caller, Deps } from '../../context.js';
import Joi from 'joi';
import { field } from '../../../compute/model/field.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import type { BacktestChange } from '../../../storage/backtests/backtest-marks.js';
import { mostKeptBacktests } from '../../../storage/backtests/marked-backtests.js';
import { shownOf } from '../output-fields.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { backtestOutput, type BacktestOutput } from '../analysis/backtest.js';

type ChangeBacktestInput = { id: string } & BacktestChange;

const line = (most: number, description: string) =>
  Joi.string().trim().min(1).max(most).allow(null).description(description);

/** Names and keeps a backtest. Fields that are left out stay as they are. */
export const changeBacktest = defineOperation({
  id: 'change-backtest',
  summary: `Names, notes or keeps a stored backtest; one that is kept does not expire, ${mostKeptBacktests} at most.`,
  scope: 'user',
  tokenScope: 'write:strategies',
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

export interface ListBacktestsOutput {
  /** The newest first. Times are ISO 8601, UTC. */
  backtests: ReturnType<typeof shownBacktest>[];
  nextCursor: string | null;
}

/** The input of a list of stored runs. */
export const pageInput = {
  limit: field.integer('most entries of the answer', { min: 1, max: 100, default: 20 }),
  cursor: field.nullable(field.text('nextCursor of the page before', { maxLength: 200 }), { default: null }),
};

const output = {
  backtests: field.list(
    'the newest first',
    field.object('a stored backtest', { ...storedBacktestFields, ...markFields }),
  ),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

export const listBacktests = defineOperation({
  id: 'list-backtests',
  summary: 'The backtests that you ran in the last 90 days, the newest first; 200 are kept.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: objectSchema(pageInput),
  output: Joi.object<ListBacktestsOutput>(keysOf(output, 'answer')),
  leadsTo: ['get-backtest', 'backtest-trades', 'backtest-equity', 'delete-backtest'].map((to) => ({
    to,
    fields: { id: 'payload/backtests/0/id' },
  })),
  async handle(page, deps, caller) {
    const { runs, nextCursor } = await storedPage('builtIn', page, deps, caller);
    return { payload: { backtests: runs.map((run) => shownBacktest(run, deps.settings)), nextCursor } };
  },
});

export const deleteBacktest = runDeletion('builtIn', 'delete-backtest', 'Deletes a stored backtest.');

/**
 * A stored backtest of the caller with its report, also one that this gateway has just answered and not yet written. Throws
 * `unknown_backtest`, also for the backtest of another user.
 */
export async function readBacktest<Report, Kind extends RunKind = 'builtIn'>(
  kind: Kind,
  id: string,
  { storage, backtestWriter }: Pick<Deps, 'storage' | 'backtestWriter'>,
  { user }: Pick<Caller, 'user'>,
): Promise<{ backtest: StoredBacktest<Kind>; report: Report }> {
  const { userId } = user!;
  await backtestWriter.settled(userId);
  const found = await storage.backtests.find(userId, kind, id);
  if (!found) throw unknownBacktest(id);
  return { backtest: found.backtest, report: JSON.parse(found.text) as Report };
}

const storedFields = { ...storedTimes, ...markFields };

type GetBacktestOutput = BacktestOutput & Pick<ReturnType<typeof shownBacktest>, keyof typeof storedFields>;

export const getBacktest = defineOperation({
  id: 'get-backtest',
  summary: 'The whole report of a backtest that you ran in the last 90 days, one of your 200 newest.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: backtestIdInput,
  output: backtestOutput.keys(
    keysOf(storedFields, 'answer'),
  ) as unknown as Joi.ObjectSchema<GetBacktestOutput>,
  errors: ['unknown_backtest'],
  async handle({ id }, deps, caller) {
    const { backtest, report } = await readBacktest<BacktestResult>('builtIn', id, deps, caller);
    const stored = shownOf(storedFields, shownBacktest(backtest, deps.settings));
    return { payload: { ...report, ...askedOf(backtest), ...stored } as GetBacktestOutput };
  },
});
