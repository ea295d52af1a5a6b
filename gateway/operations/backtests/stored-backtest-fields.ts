import { AppError } from '../../../compute/model/errors.js';
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
  expiresAt: field.time('until when it is kept'),
};

/** What a list shows of a stored run of any kind. */
export const storedRunFields = {
  params: field.record('parameters of the strategy in force, by name', field.number('value')),
  source: field.text('market the candles come from'),
  feePercent: field.number('fee of each side', { unit: 'percent' }),
  slippagePercent: field.number('slippage of each side', { unit: 'percent' }),
  window,
  ...{ totalReturn, winRate, sharpe, maxDrawdown, tradeCount, profitFactor },
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
  new AppError('unknown_backtest', `you have no stored backtest "${id}"`, { details: { field: 'id' } });
