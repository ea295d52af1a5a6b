import Joi from 'joi';
import { equityCurve, type EquityCurve, type EquityDay } from '../../../compute/ledger/equity-curve.js';
import { utcDay } from '../../../compute/model/utc-day.js';
import { defineOperation } from '../../operation.js';
import { figure, figureOrNull, list, objectField, text } from '../output-fields.js';
import { ledgerPeriodField, ledgerPeriodStart, type LedgerPeriod } from './ledger-period.js';

interface EquityInput {
  period: LedgerPeriod;
}

/** What the user's accounts were worth day by day. */
export const getEquity = defineOperation<EquityInput, EquityCurve>({
  id: 'get-equity',
  summary:
    'What your accounts were worth at the start of each UTC day, and their time-weighted return: deposits and withdrawals do not count.',
  scope: 'user',
  cost: 2,
  input: Joi.object<EquityInput>({ period: ledgerPeriodField('90d') }),
  output: Joi.object<EquityCurve, true>({
    days: list(
      objectField<EquityDay>(
        {
          day: text('the UTC day'),
          value: text('value of all accounts in USDT at its start, a decimal'),
          flow: text('what was paid in (above 0) or out since the day before, a decimal'),
          index: figure('100 on the first day, then by the returns alone'),
          drawdownPercent: figure('how far the index is below its highest value so far, 0 or below'),
          benchmarkIndex: figureOrNull('price of BTC, 100 on the first day with one; null without a price'),
        },
        'a day',
      ),
      'the oldest first',
    ),
    returnPercent: figureOrNull('time-weighted return of the period; null before the second day'),
    maxDrawdownPercent: figureOrNull('deepest fall of the index, 0 or below; null without a day'),
    volatilityPercent: figureOrNull(
      'standard deviation of the daily returns, of a year; null before the third day',
    ),
    sharpe: figureOrNull(
      'mean by standard deviation of the daily returns, of a year, with a risk-free rate of 0',
    ),
    benchmarkReturnPercent: figureOrNull('what holding BTC would have returned; null without two prices'),
  }),
  async handle({ period }, { storage }, { user }) {
    const since = utcDay(ledgerPeriodStart(period, Date.now()).getTime());
    return { payload: equityCurve(await storage.equity.ofUser(user!.userId, since)) };
  },
});
