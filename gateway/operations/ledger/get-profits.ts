import Joi from 'joi';
import {
  ProfitGroups,
  profitGroupings,
  type ProfitGroup,
  type ProfitGrouping,
} from '../../../compute/ledger/profit-groups.js';
import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy as groupRows } from '../../../compute/model/group-by.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import { utcDay } from '../../../compute/model/utc-day.js';
import type { Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import {
  count,
  date,
  figureOrNull,
  flag,
  list,
  objectField,
  oneOf,
  text,
  answerOf,
} from '../output-fields.js';
import { unrealisedProfits, type UnrealisedProfits } from './unrealised-profits.js';
import { UnbookedPayments } from './unbooked-payments.js';
import { ledgerPeriodField, ledgerPeriodStart, type LedgerPeriod } from './get-equity.js';

interface ProfitView extends ProfitGroup {
  winRatePercent: number | null;
  unrealised: number | null;
}

/** All groups in one quote currency. */
type ProfitTotal = Omit<ProfitView, 'group' | 'fees'>;

/** Most trades that are summed up: the newest. */
const mostTrades = 20_000;

const profitFigures = {
  tradeMarket: text('quote currency; profits in different ones are never added up'),
  profit: text(
    'realised profit net of fees by average cost, with funding and interest, in the quote currency, a decimal',
  ),
  funding: text(
    'funding and interest received (above 0) or paid, also for positions that are open, a decimal; part of the profit',
  ),
  unrealised: figureOrNull(
    'what open positions have gained or lost so far, also before the period, where price and cost are known; by channel: what signals hold; null by day',
  ),
  trades: count('trades that closed'),
  wins: count('those that earned something'),
  winRatePercent: figureOrNull('percent of the trades that earned something; null without a trade'),
};

export const getProfits = defineOperation({
  id: 'get-profits',
  summary:
    'What your trades have earned net of fees, by asset, exchange, channel or UTC day, and what open positions have gained or lost so far.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 3,
  input: Joi.object<{ groupBy: ProfitGrouping; period: LedgerPeriod }>({
    groupBy: Joi.string()
      .valid(...profitGroupings)
      .default('asset')
      .description('what a row is about'),
    period: ledgerPeriodField('30d'),
  }),
  output: answerOf({
    groupBy: oneOf(profitGroupings, 'what a row is about'),
    since: date('start of the period'),
    source: text('market whose prices trades on paper follow; demo: a made-up market'),
    totals: list(objectField(profitFigures, 'all groups'), 'all groups together, by quote currency'),
    rows: list(
      objectField(
        {
          group: text(
            'the asset, the exchange, the id of the channel (none for funding and interest of what no signal holds), or the day',
          ),
          name: text('name of the channel; null for other groups, and where it is gone').allow(null),
          ...profitFigures,
          fees: list(
            objectField({ asset: text('asset'), amount: text('amount, a decimal') }, 'fees in an asset'),
            'fees of the trades that closed; they are part of the profit',
          ),
        },
        'a group of trades',
      ),
      'in alphabetical order; days begin with the last',
    ),
    isComplete: flag(`whether all trades are counted: at most ${mostTrades} are, the newest`),
  }),
  async handle({ groupBy, period }, deps, { user }) {
    const since = ledgerPeriodStart(period, Date.now());
    // Both are awaited together: if both fail, neither rejection stays unhandled.
    const [{ groups, isComplete }, gains] = await Promise.all([
      realisedProfits(user!.userId, groupBy, since, deps),
      unrealisedProfits(user!.userId, groupBy, deps),
    ]);
    const figures = withUnrealised(groups, gains);
    const channels =
      groupBy === 'channel' ? await deps.storage.channels.ofIds(figures.map(({ group }) => group)) : [];
    const rows = figures.map((row) => ({
      ...row,
      name: channels.find(({ id }) => id === row.group)?.name ?? null,
    }));
    const { MARKET: source } = deps.settings;
    return {
      payload: { groupBy, since: since.toISOString(), source, totals: totalsOf(rows), rows, isComplete },
    };
  },
});

/** What the trades since then have earned, with funding and interest, and whether all of these trades are counted. */
async function realisedProfits(
  userId: string,
  groupBy: ProfitGrouping,
  since: Date,
  { storage }: Pick<Deps, 'storage'>,
): Promise<{ groups: ProfitGroup[]; isComplete: boolean }> {
  const groups = new ProfitGroups(groupBy, utcDay(since.getTime()));
  // Before the trades: a payment that is booked meanwhile counts once.
  const unbooked = new UnbookedPayments(await storage.ledgerEntries.payments(userId, since), storage);
  let trades = 0;
  for await (const line of storage.trades.profits(userId, since, mostTrades + 1)) {
    if (trades === mostTrades) return { groups: await withPayments(groups, unbooked), isComplete: false };
    groups.add(line);
    unbooked.noteBooked(line);
    trades++;
  }
  return { groups: await withPayments(groups, unbooked), isComplete: true };
}

async function withPayments(groups: ProfitGroups, unbooked: UnbookedPayments): Promise<ProfitGroup[]> {
  for (const line of await unbooked.lines()) groups.addPayment(line);
  return groups.rows();
}

const winRateOf = ({ trades, wins }: Pick<ProfitGroup, 'trades' | 'wins'>): number | null =>
  trades === 0 ? null : (100 * wins) / trades;

/** The rows with their unrealised profits, and a row for each group that has only unrealised profits. */
function withUnrealised(rows: readonly ProfitGroup[], gains: UnrealisedProfits | null): ProfitView[] {
  const has = (group: string) => rows.some((row) => row.group === group && row.tradeMarket === quoteCurrency);
  const openOnly = [...(gains?.keys() ?? [])]
    .filter((group) => !has(group))
    .sort()
    .map((group): ProfitGroup => {
      const nothing = { profit: '0', funding: '0', trades: 0, wins: 0, fees: [] };
      return { group, tradeMarket: quoteCurrency, ...nothing };
    });
  return [...rows, ...openOnly].map((row) => ({
    ...row,
    unrealised: gains && (row.tradeMarket === quoteCurrency ? (gains.get(row.group) ?? 0) : null),
    winRatePercent: winRateOf(row),
  }));
}

function totalsOf(rows: readonly ProfitView[]): ProfitTotal[] {
  const markets = groupRows(rows, ({ tradeMarket }) => tradeMarket);
  return [...markets].map(([tradeMarket, same]) => {
    const sum = (of: (row: ProfitView) => number) => same.reduce((total, row) => total + of(row), 0);
    const [trades, wins] = [sum((row) => row.trades), sum((row) => row.wins)];
    const [profit, funding] = (['profit', 'funding'] as const).map((name) =>
      Decimal.sum(same.map((row) => Decimal.read(row[name]))),
    );
    const isKnown = same.some(({ unrealised }) => unrealised !== null);
    return {
      tradeMarket,
      profit: profit.toString(),
      funding: funding.toString(),
      trades,
      wins,
      winRatePercent: winRateOf({
        trades,
        wins,
      }),
      unrealised: isKnown ? sum(({ unrealised }) => unrealised ?? 0) : null,
    };
  });
}
