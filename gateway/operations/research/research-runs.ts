import Joi from 'joi';
import type { ResearchResult } from '../../../jobs/definitions/research-backtest.js';
import { keysOf, objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { defineOperation } from '../../operation.js';
import { readBacktest, pageInput } from '../backtests/stored-backtests.js';
import {
  backtestId,
  storedTimes,
  backtestIdInput,
  storedRunFields,
  storedPage,
  runDeletion,
} from '../backtests/stored-runs.js';
import { researchOutput, researchAboutFields } from './research-backtest.js';
import { field } from '../../../compute/model/field.js';
import { shownOf } from '../output-fields.js';
import type { StoredBacktest } from '../../../storage/backtests/backtests.js';

type GetRunOutput = ResearchResult & { createdAt: string; expiresAt: string };

export const getRun = defineOperation({
  id: 'get-run',
  summary: 'The whole report of a run of your own rules of the last 90 days, one of your 200 newest.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: backtestIdInput,
  output: researchOutput.keys(keysOf(storedTimes, 'answer')) as unknown as Joi.ObjectSchema<GetRunOutput>,
  errors: ['unknown_backtest'],
  async handle({ id }, deps, caller) {
    const { backtest, report } = await readBacktest<ResearchResult, 'research'>('research', id, deps, caller);
    return { payload: { ...report, ...shownOf(storedTimes, backtest) } };
  },
});

const runFields = {
  id: backtestId,
  strategy: field.nullable(
    field.text('strategy as the request named it: saved, shared or a template; null: rules'),
  ),
  ...researchAboutFields,
  ...storedRunFields,
};

export interface ListRunsOutput {
  /** The newest first. Times are ISO 8601, UTC. */
  runs: ReturnType<typeof shownOf<typeof runFields, StoredBacktest<'research'>>>[];
  nextCursor: string | null;
}

const output = {
  runs: field.list('the newest first', field.object('a stored run of rules', runFields)),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

export const listRuns = defineOperation({
  id: 'list-runs',
  summary: 'The runs of your own rules of the last 90 days, the newest first; 200 are kept.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: objectSchema(pageInput),
  output: Joi.object<ListRunsOutput>(keysOf(output, 'answer')),
  leadsTo: ['get-run', 'run-trades', 'run-equity', 'delete-run'].map((to) => ({
    to,
    fields: { id: 'payload/runs/0/id' },
  })),
  async handle(page, deps, caller) {
    const { runs, nextCursor } = await storedPage('research', page, deps, caller);
    return { payload: { runs: runs.map((run) => shownOf(runFields, run)), nextCursor } };
  },
});

export const deleteRun = runDeletion('research', 'delete-run', 'Deletes a stored run of your own rules.');
