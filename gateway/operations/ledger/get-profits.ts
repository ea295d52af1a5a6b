import Joi from 'joi';
import {
  ProfitGroups,
  profitGroupings,
  type ProfitGroup,
  type ProfitGrouping,
} from '../../../compute/ledger/profit-groups.js';
import { utcDay } from '../../../compute/model/utc-day.js';
import { defineOperation } from '../../operation.js';
import { count, date, figureOrNull, flag, list, objectField, oneOf, text } from '../output-fields.js';
import { ledgerPeriodField, ledgerPeriodStart, type LedgerPeriod } from './ledger-period.js';

interface ProfitsInput {
  by: ProfitGrouping;
  period: LedgerPeriod;
}

interface ProfitView extends ProfitGroup {
  winRatePercent: number | null;
}

interface ProfitsOutput {
  by: ProfitGrouping;
  since: string;
  rows: ProfitView[];
  isComplete: boolean;
}

/** Trades that are summed up at most, the newest. */
const mostTrades = 20_000;

/** What the user's trades have earned. */
export const getProfits = defineOperation<ProfitsInput, ProfitsOutput>({
  id: 'get-profits',
  summary: 'What your trades that are over have earned net of fees, by asset, exchange, channel or UTC day.',
  scope: 'user',
  cost: 3,
  input: Joi.object<ProfitsInput>({
    by: Joi.string()
      .valid(...profitGroupings)
      .default('asset')
      .description('what a row is about'),
    period: ledgerPeriodField('30d'),
  }),
  output: Joi.object<ProfitsOutput, true>({
    by: oneOf(profitGroupings, 'what a row is about'),
    since: date('start of the period'),
    rows: list(
      objectField<ProfitView>(
        {
          group: text('the asset, the exchange, the id of the channel, or the day'),
          tradeMarket: text('quote currency; profits in different ones are never added up'),
          profit: text('realised profit net of fees by average cost, in the quote currency, a decimal'),
          trades: count('trades that closed'),
          wins: count('those that earned something'),
          winRatePercent: figureOrNull('percent of the trades that earned something; null without a trade'),
          fees: list(
            objectField<ProfitView['fees'][number]>(
              { asset: text('asset'), amount: text('amount, a decimal') },
              'fees in an asset',
            ),
            'fees of the trades that closed; they are part of the profit',
          ),
        },
        'a group of trades',
      ),
      'in alphabetical order; days begin with the last',
    ),
    isComplete: flag(`whether all trades are counted: at most ${mostTrades} are, the newest`),
  }),
  async handle({ by, period }, { storage }, { user }) {
    const since = ledgerPeriodStart(period, Date.now());
    const groups = new ProfitGroups(by, utcDay(since.getTime()));
    let trades = 0;
    for await (const line of storage.trades.profits(user!.userId, since, mostTrades)) {
      groups.add(line);
      trades++;
    }
    const rows = groups.rows().map((row) => ({
      ...row,
      winRatePercent: row.trades === 0 ? null : (100 * row.wins) / row.trades,
    }));
    return { payload: { by, since: since.toISOString(), rows, isComplete: trades < mostTrades } };
  },
});
