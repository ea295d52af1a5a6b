import { type AppError, fieldError } from '../../../compute/model/errors.js';
import type {
  StoredBacktest,
  BacktestSummary,
  RunKind,
  BacktestPage,
} from '../../../storage/backtests/backtests.js';
import type { Settings } from '../../../storage/process/settings.js';
import { seriesFields } from '../../../compute/model/asset-fields.js';
import { field, fieldsOf } from '../../../compute/model/field.js';
import { backtestDescription } from '../../../jobs/definitions/backtest.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { describedOperation } from '../analysis/described-operation.js';
import type { Caller, Deps } from '../../context.js';
import { readCursor, writeCursor } from '../page-cursor.js';
import { picked, shownOf } from '../output-fields.js';

const { params, report } = backtestDescription;

/** The id of a backtest, as its answer carries it. */
export const backtestId = field.text('id of a backtest, as its answer carries it', {
  pattern: /^[0-9a-f]{64}$/,
  patternName: 'a SHA-256 in hex',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
});

/** When a backtest was stored, and until when it is kept. */
export const storedTimes = {
  createdAt: field.time('when it was run last'),
  expiresAt: field.time('until when it is stored; the year 9999 for one that is kept'),
};

export const shareFields = {
  token: field.text('who has it can read the report'),
  url: field.text('page that shows the report; begins with / where PUBLIC_URL is not set'),
  sharedAt: field.time('since when'),
};

/** What its user has made of a stored backtest. */
export const markFields = {
  name: field.nullable(field.text('name that you gave it; null: none')),
  note: field.nullable(field.text('note that you made of it; null: none')),
  isKept: field.flag('whether it does not expire'),
  share: field.nullable(field.object('how it is shared; null: not', shareFields)),
};

/** Where the report is shown to who has the token. */
export const sharedUrl = (token: string, { PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>): string =>
  `${PUBLIC_URL.replace(/\/$/, '')}/app/shared/${token}`;

const figureNames = [
  'window',
  'totalReturn',
  'winRate',
  'sharpe',
  'maxDrawdown',
  'tradeCount',
  'profitFactor',
] as const;

/** What a list shows of a stored run of any kind. */
export const storedRunFields = {
  params: field.record('parameters of the strategy in force, by name', field.number('value')),
  source: field.text('market the candles come from'),
  feePercent: field.number('fee of each side', { unit: 'percent' }),
  slippagePercent: field.number('slippage of each side', { unit: 'percent' }),
  ...picked(fieldsOf(report), figureNames),
  ...storedTimes,
};

/** What was asked of a backtest. */
export const askedFields = {
  ...picked(seriesFields, ['asset', 'tradeMarket', 'interval']),
  ...picked(params, ['period', 'strategy']),
  ...picked(storedRunFields, ['params', 'source']),
};

/** What a list shows of a stored backtest. */
export const storedBacktestFields = { id: backtestId, ...seriesFields, ...askedFields, ...storedRunFields };

/** A stored backtest as clients see it. */
export const shownBacktest = (
  { share, ...backtest }: StoredBacktest,
  settings: Pick<Settings, 'PUBLIC_URL'>,
) => ({
  ...shownOf({ ...storedBacktestFields, ...markFields }, backtest),
  share: share && { ...shownOf(shareFields, share), url: sharedUrl(share.token, settings) },
});

/** The input of an operation on one stored run. */
export const backtestIdInput = objectSchema({ id: backtestId });

/** The error for an id of which the user has no backtest, also where another user has one. */
export const unknownBacktest = (id: string): AppError =>
  fieldError('id', `you have no stored backtest "${id}"`, 'unknown_backtest');

type Asked = Pick<BacktestSummary, keyof typeof askedFields>;
type Costs = Pick<BacktestSummary, 'feePercent' | 'slippagePercent'>;
type Listed = Omit<BacktestSummary, keyof Asked>;

/** What was asked of a backtest. */
export const askedOf = (backtest: Asked): Asked => shownOf(askedFields, backtest);

/** What a list shows of a report, of whatever kind of run. */
export const listedFigures = (report: Omit<Listed, keyof Costs> & { assumptions: Costs }): Listed => ({
  ...picked(report.assumptions, ['feePercent', 'slippagePercent']),
  ...picked(report, figureNames),
});

/** An operation that deletes a stored run of the caller. */
export const runDeletion = (kind: RunKind, id: string, summary: string) =>
  describedOperation({
    id,
    summary,
    scope: 'user',
    tokenScope: 'write:strategies',
    input: { id: backtestId },
    output: { id: backtestId },
    errors: ['unknown_backtest'],
    async handle({ id }, { storage, backtestWriter }, { user }) {
      const { userId } = user!;
      await backtestWriter.settled(userId);
      if (!(await storage.backtests.remove(userId, kind, id))) throw unknownBacktest(id);
      return { payload: { id } };
    },
  });

/** A place in the order of backtests: time and id. */
const backtestPlace = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z [0-9a-f]{64}$/;

/** A page of the caller's stored runs of a kind, the newest first, and the cursor of the next. Throws `invalid_input` for the cursor. */
export async function storedPage<Kind extends RunKind>(
  kind: Kind,
  { limit, cursor }: { limit: number; cursor: string | null },
  { storage, backtestWriter }: Pick<Deps, 'storage' | 'backtestWriter'>,
  { user }: Pick<Caller, 'user'>,
): Promise<{ runs: StoredBacktest<Kind>[]; nextCursor: string | null }> {
  const { userId } = user!;
  await backtestWriter.settled(userId);
  const after = readCursor(cursor ?? undefined, backtestPlace);
  const page: BacktestPage<Kind> = await storage.backtests.list(userId, kind, {
    limit,
    ...(after === undefined ? {} : { after }),
  });
  return { runs: page.backtests, nextCursor: writeCursor(page.next) };
}
