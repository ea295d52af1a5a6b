import Joi from 'joi';
import { assetField } from '../../../compute/model/asset-fields.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { equityCurve } from '../../../compute/ledger/equity-curve.js';
import { intervalMs } from '../../../compute/model/interval.js';
import { utcDay, utcDayStart } from '../../../compute/model/utc-day.js';
import { quoteCurrency } from '../../../storage/candles/pegged.js';
import { presentSnapshots } from '../../../jobs/accounts/snapshot-accounts.js';
import { LatestPrices } from '../../../storage/candles/latest-prices.js';
import type { EquitySnapshot } from '../../../storage/ledger/equity.js';
import type { Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { findSeries } from '../analysis/series-input.js';
import { figure, figureOrNull, flag, list, objectField, text, answerOf } from '../output-fields.js';

const dayMs = 86_400_000;

/** Days of each period, the present one included. */
const daysOf = { today: 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365, all: Infinity } as const;

export type LedgerPeriod = keyof typeof daysOf;

export const ledgerPeriodField = (fallback: LedgerPeriod): Joi.StringSchema =>
  Joi.string()
    .valid(...Object.keys(daysOf))
    .default(fallback)
    .description('how far back, in UTC days, the present one included');

/** When a period begins: at the start of a UTC day. */
export function ledgerPeriodStart(period: LedgerPeriod, nowMs: number): Date {
  const days = daysOf[period];
  return new Date(days === Infinity ? 0 : utcDayStart(nowMs) - (days - 1) * dayMs);
}

/** The asset whose prices the snapshots hold. */
const defaultBenchmark = 'BTC';

export const getEquity = defineOperation({
  id: 'get-equity',
  summary:
    'What your accounts (SPOT, MARGIN and FUTURES) were worth at the start of each UTC day and are worth now, with gains that are not realised, and their time-weighted return: deposits and withdrawals do not count.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 2,
  input: Joi.object<{ period: LedgerPeriod; benchmark: string }>({
    period: ledgerPeriodField('90d'),
    ...keysOf({
      benchmark: {
        ...assetField,
        text: 'asset that the accounts are compared with',
        default: defaultBenchmark,
      },
    }),
  }),
  output: answerOf({
    benchmark: text('asset that the accounts are compared with'),
    source: text(
      'market whose prices the benchmark and what is held on paper follow; demo: a made-up market',
    ),
    days: list(
      objectField(
        {
          day: text('the UTC day'),
          isNow: flag(
            'whether it is the value at present, the last row, and not that at the start of the day',
          ),
          value: text('value of all accounts in USDT then, a decimal'),
          flow: text('what was paid in (above 0) or out since the row before, a decimal'),
          index: figure('100 on the first day, then by the returns alone'),
          drawdownPercent: figure('how far the index is below its highest value so far, 0 or below'),
          benchmarkIndex: figureOrNull(
            'price of the benchmark, 100 on the first day with one; null without a price',
          ),
          incomplete: list(
            text('exchange and account'),
            'what could not be read, as in BINANCE FUTURES: it counts as it was read before, if ever, and a return is only told once it was read again',
          ),
        },
        'a day',
      ),
      'the oldest first',
    ),
    returnPercent: figureOrNull('time-weighted return of the period up to now; null before the second row'),
    maxDrawdownPercent: figureOrNull('deepest fall of the index, 0 or below; null without a day'),
    volatilityPercent: figureOrNull(
      'standard deviation of the daily returns, annualised; null before the third day',
    ),
    sharpe: figureOrNull(
      'mean of the daily returns divided by their standard deviation, annualised, with a risk-free rate of 0',
    ),
    benchmarkReturnPercent: figureOrNull(
      'what holding the benchmark would have returned; null without two prices',
    ),
  }),
  async handle({ period, benchmark }, deps, { user }) {
    const since = utcDay(ledgerPeriodStart(period, Date.now()).getTime());
    const [snapshots, priceOn] = await Promise.all([
      deps.storage.equity.ofUser(user!.userId, since),
      benchmark === defaultBenchmark ? null : pricesByDay(benchmark, deps),
    ]);
    const compared = priceOn
      ? snapshots.map((each) => ({ ...each, benchmark: priceOn.get(each.day) ?? null }))
      : snapshots;
    const curve = equityCurve(compared, await presentEquity(user!.userId, benchmark, deps));
    return { payload: { benchmark, source: deps.settings.MARKET, ...curve } };
  },
});

/** What the accounts of a user are worth now. The snapshot of this morning is the one before. */
async function presentEquity(
  userId: string,
  benchmark: string,
  { storage, redis, settings, exchanges }: Deps,
): Promise<EquitySnapshot[]> {
  const prices = new LatestPrices(storage, redis);
  const { marketOf } = exchanges.exchanges;
  const tools = { storage, prices, marketOf, paperBalance: settings.PAPER_BALANCE };
  const now = Date.now();
  const found = await presentSnapshots(tools, [userId], utcDay(now + intervalMs('1d')));
  const compared = (await prices.find(settings.MARKET, [benchmark])).get(benchmark);
  return found.map((each) => ({
    ...each,
    day: utcDay(now),
    benchmark: compared === undefined ? null : String(compared.price),
  }));
}

/** What an asset cost at the start of each UTC day: the close of the candle of the day before. Throws `invalid_input`. */
async function pricesByDay(asset: string, deps: Deps): Promise<Map<string, string>> {
  const names = { asset: 'benchmark', interval: 'benchmark', tradeMarket: 'benchmark' };
  const series = await findSeries({ asset, interval: '1d', tradeMarket: quoteCurrency }, deps, names);
  const loaded = await deps.storage.candles.load(series);
  if (!loaded) return new Map();
  const { time, close } = loaded.candles;
  return new Map([...time].map((opened, n) => [utcDay(opened + intervalMs('1d')), String(close[n])]));
}
