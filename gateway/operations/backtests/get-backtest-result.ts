import { field, fieldsOf, type Values } from '../../../compute/model/field.js';
import { backtestDescription, type BacktestResult } from '../../../jobs/definitions/backtest.js';
import type { StoredBacktest } from '../../../storage/backtests/backtests.js';
import { describedOperation } from '../analysis/described-operation.js';
import { readBacktest } from './stored-backtests.js';
import { readCursor, writeCursor } from '../page-cursor.js';
import { backtestId, storedBacktestFields, storedPage } from './stored-runs.js';
import { shownOf } from '../output-fields.js';

const { trades, equity, ...rest } = fieldsOf(backtestDescription.report);

const summaryFields = { ...storedBacktestFields, ...rest };

const output = {
  section: field.choice('what is shown: runs without an id, else a part of one backtest', [
    'runs',
    'summary',
    'trades',
    'equity',
  ]),
  runs: field.list(
    'your stored backtests, the newest first',
    field.object('a stored backtest', storedBacktestFields),
  ),
  summary: field.nullable(
    field.object('the figures of the backtest and what they rest on; null in other sections', summaryFields),
  ),
  trades: { ...trades, text: 'a page of its trades, the oldest first' },
  equity: { ...equity, text: 'a page of what its account was worth, the oldest first' },
  total: field.nullable(field.count('trades, or points of the equity curve, in all; null in other sections')),
  nextCursor: field.nullable(field.text('cursor of the next page; null at the end')),
};

type Payload = Values<typeof output>;

export const getBacktestResult = describedOperation({
  id: 'get-backtest-result',
  summary:
    'A part of one of your stored backtests: its summary, a page of trades, or of the equity curve. Without an id it lists your recent runs.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  errors: ['unknown_backtest'],
  input: {
    backtestId: field.nullable(
      { ...backtestId, text: 'id of a backtest; null: the list of recent runs' },
      { default: null },
    ),
    section: field.choice('part of the backtest', ['summary', 'trades', 'equity'], { default: 'summary' }),
    limit: field.integer('most rows of the answer', { min: 1, max: 200, default: 50 }),
    cursor: field.nullable(field.text('nextCursor of the page before', { maxLength: 200 }), {
      default: null,
    }),
  },
  output,
  leadsTo: [{ to: 'get-backtest', fields: { id: 'payload/runs/0/id' } }],
  async handle({ backtestId: id, section, limit, cursor }, deps, caller) {
    if (id === null) {
      const { runs, nextCursor } = await storedPage('builtIn', { limit, cursor }, deps, caller);
      return { payload: { ...empty, runs: runs.map(stored), nextCursor } };
    }
    const { backtest, report } = await readBacktest<BacktestResult>('builtIn', id, deps, caller);
    if (section === 'summary') {
      const summary = shownOf(summaryFields, { ...report, ...stored(backtest) }) as Payload['summary'];
      return { payload: { ...empty, section, summary } };
    }
    const place = readCursor(cursor ?? undefined, new RegExp(`^${section} \\d{1,6}$`));
    const from = place === undefined ? 0 : Number(place.split(' ')[1]);
    const rows: readonly unknown[] = report[section];
    const next = from + limit < rows.length ? `${section} ${from + limit}` : null;
    const page = rows.slice(from, from + limit);
    return {
      payload: { ...empty, section, [section]: page, total: rows.length, nextCursor: writeCursor(next) },
    };
  },
});

const empty: Payload = {
  section: 'runs',
  runs: [],
  summary: null,
  trades: [],
  equity: [],
  total: null,
  nextCursor: null,
};

const stored = (backtest: StoredBacktest) =>
  ({
    ...shownOf(storedBacktestFields, backtest),
    createdAt: backtest.createdAt.getTime(),
    expiresAt: backtest.expiresAt.getTime(),
  }) as Values<typeof storedBacktestFields>;
