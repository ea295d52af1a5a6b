import { type AppError, fieldError } from '../../../compute/model/errors.js';
import type { BacktestMarks } from '../../../storage/backtests/backtest-marks.js';
import type { StoredBacktest } from '../../../storage/backtests/backtests.js';
import type { Settings } from '../../../storage/process/settings.js';
import { seriesFields } from '../../../compute/model/asset-fields.js';
import { field, fieldsOf } from '../../../compute/model/field.js';
import { backtestDescription } from '../../../jobs/definitions/backtest.js';

const { params, report } = backtestDescription;
const { totalReturn, winRate, sharpe, maxDrawdown, tradeCount, profitFactor, window } = fieldsOf(report);

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

/** The marks as clients see them. */
const shownMarks = (
  { name, note, isKept, share }: BacktestMarks,
  settings: Pick<Settings, 'PUBLIC_URL'>,
) => ({
  name,
  note,
  isKept,
  share: share && {
    token: share.token,
    url: sharedUrl(share.token, settings),
    sharedAt: share.sharedAt.toISOString(),
  },
});

/** A stored backtest as clients see it. */
export const shownBacktest = (
  { createdAt, expiresAt, name, note, isKept, share, ...rest }: StoredBacktest,
  settings: Pick<Settings, 'PUBLIC_URL'>,
) => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  ...shownMarks({ name, note, isKept, share }, settings),
});

/** What a list shows of a stored run of any kind. */
export const storedRunFields = {
  params: field.record('parameters of the strategy in force, by name', field.number('value')),
  source: field.text('market the candles come from'),
  feePercent: field.number('fee of each side', { unit: 'percent' }),
  slippagePercent: field.number('slippage of each side', { unit: 'percent' }),
  window,
  totalReturn,
  winRate,
  sharpe,
  maxDrawdown,
  tradeCount,
  profitFactor,
  ...storedTimes,
};

/** What a list shows of a stored backtest. */
export const storedBacktestFields = {
  id: backtestId,
  ...seriesFields,
  period: params.period,
  strategy: params.strategy,
  ...storedRunFields,
};

/** The input of an operation on one stored backtest. */
export interface BacktestIdInput {
  id: string;
}

/** The error for an id of which the user has no backtest, also where another user has one. */
export const unknownBacktest = (id: string): AppError =>
  fieldError('id', `you have no stored backtest "${id}"`, 'unknown_backtest');
