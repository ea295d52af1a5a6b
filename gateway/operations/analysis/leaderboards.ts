import { field, type Values, type Value } from '../../../compute/model/field.js';
import { intervals, periods } from '../../../compute/model/interval.js';
import { nullReasonOf, nullReason, reasonsOf } from '../../../compute/model/null-reason.js';
import { strategyNames } from '../../../compute/strategies/index.js';
import type { Leaderboard, LeaderboardRow } from '../../../storage/candles/leaderboards.js';
import { describedOperation } from './described-operation.js';
import { fieldError } from '../../../compute/model/errors.js';
import type { Deps } from '../../context.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { unknownAsset } from './series-input.js';
import { picked } from '../output-fields.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

/** A row of a leaderboard, as answers show it. */
const leaderboardRow = field.object('a strategy on a pair', {
  asset: field.text('asset symbol'),
  tradeMarket: field.text('quote currency'),
  strategy: field.text('name of the strategy, with its default parameters'),
  totalReturn: percent('return over the window'),
  sharpe: field.nullable(field.number('annualised Sharpe ratio; null where it has no meaning')),
  maxDrawdown: percent('maximum drawdown, 0 or below'),
  tradeCount: field.count('closed trades'),
  outOfSampleReturn: percent('return over the last 30 % of the window; null where not yet computed'),
  excessReturn: field.nullable(
    field.number('return above buy and hold; null where not yet computed', { unit: 'points' }),
  ),
  significant: field.nullable(
    field.flag(
      'whether the Sharpe ratio is above 0 and the return above buy and hold beyond chance, corrected for all ranked rows (Holm); null where not yet computed',
    ),
  ),
  reason: nullReason,
  from: field.text('open time of the first candle, ISO 8601'),
  to: field.text('close time of the last candle, ISO 8601'),
});

/** A stored row as answers show it. */
const leaderboardRowView = (row: LeaderboardRow): Value<typeof leaderboardRow> => ({
  ...row,
  reason: reasonsOf(
    row.sharpe === null && 'the returns do not vary',
    row.outOfSampleReturn === null && 'the window has fewer than 10 candles',
  ),
});

const ranks = ['sharpe', 'totalReturn', 'maxDrawdown'] as const;

const filters = {
  strategy: field.nullable(field.choice('one strategy; null: all', strategyNames), { default: null }),
  asset: field.nullable(field.text('one asset; null: all', { maxLength: 20, means: 'asset' }), {
    default: null,
  }),
};
const minTrades = field.integer('least closed trades of a row', { min: 0, max: 100_000, default: 20 });

const input = {
  interval: field.nullable(field.choice('length of a candle; null: every interval', intervals), {
    default: null,
  }),
  ...filters,
  minTrades,
  rankBy: field.choice('what the rows are ordered by, the best first', ranks, { default: 'sharpe' }),
  limit: field.integer('most rows of a leaderboard', { min: 1, max: 100, default: 20 }),
};

const output = {
  leaderboards: field.list(
    'one for each interval that has been ranked; they are computed nightly',
    field.object('every strategy on every pair under the same settings', {
      interval: field.choice('length of a candle', intervals),
      period: field.choice('length of the window', periods),
      source: field.text('market the candles come from'),
      asOf: field.text('close time of the latest candle, ISO 8601'),
      feePercent: field.number('fee of each side', { unit: 'percent' }),
      slippagePercent: field.number('slippage of each side', { unit: 'percent' }),
      luckiestSharpe: field.nullable(
        field.number(
          'annualised Sharpe ratio that the best of all rows without skill is expected to reach; an upper bound, since strategies resemble each other; null where not yet computed',
        ),
      ),
      luckiestSharpeReason: nullReasonOf('luckiestSharpe'),
      ranked: field.count('rows that match, beyond the limit too'),
      refused: field.count('pairs and strategies that could not be tried, mostly for lack of history'),
      rows: field.list('the rows, the best first', leaderboardRow),
    }),
  ),
};

/** The rows that are asked for, the best first, with how many there are and how many only have too few trades. */
function rankedRows(
  rows: readonly LeaderboardRow[],
  asked: Values<typeof filters> & { minTrades: number; limit: number },
  rank: (typeof ranks)[number] | 'outOfSampleReturn' | 'excessReturn',
) {
  const wanted = rows.filter(
    ({ strategy, asset }) => (asked.strategy ?? strategy) === strategy && (asked.asset ?? asset) === asset,
  );
  const matching = wanted
    .filter(({ tradeCount }) => tradeCount >= asked.minTrades)
    // The highest first: a drawdown is 0 or below. Equal rows keep the order of the stored leaderboard.
    .sort((one, other) => (other[rank] ?? -Infinity) - (one[rank] ?? -Infinity) || 0);
  return {
    ranked: matching.length,
    tooFewTrades: wanted.length - matching.length,
    rows: matching.slice(0, asked.limit).map(leaderboardRowView),
  };
}

export const listLeaderboards = describedOperation({
  id: 'list-leaderboards',
  summary:
    'The stored nightly leaderboards: every strategy on every pair, ranked. Nothing is computed on request.',
  input,
  output,
  async handle(asked, { storage, settings }) {
    const wanted = asked.interval === null ? intervals : [asked.interval];
    const found = await Promise.all(
      wanted.map((interval) =>
        storage.leaderboards.find({ market: settings.MARKET, interval, period: '1y' }),
      ),
    );
    return {
      payload: { leaderboards: found.filter((each) => each !== null).map((each) => viewOf(each, asked)) },
    };
  },
});

function viewOf(stored: Leaderboard, asked: Values<typeof input>) {
  const { market, interval, period, asOf, costs, rows, luckiestSharpe, refused } = stored;
  const { tooFewTrades: _few, ...ranked } = rankedRows(rows, asked, asked.rankBy);
  return {
    interval,
    period,
    source: market,
    asOf,
    refused,
    feePercent: costs.feeRate * 100,
    slippagePercent: costs.slippageRate * 100,
    luckiestSharpe,
    luckiestSharpeReason: null,
    ...ranked,
  };
}

/** The figure that each choice of `rankBy` means. */
const strategyLeaderboardRanks = {
  oos_return: 'outOfSampleReturn',
  sharpe: 'sharpe',
  max_drawdown: 'maxDrawdown',
  excess_return: 'excessReturn',
} as const satisfies Record<string, keyof LeaderboardRow>;

const rankNames = ['oos_return', 'sharpe', 'max_drawdown', 'excess_return'] as const;

const strategyLeaderboardInput = {
  ...filters,
  interval: field.choice('length of a candle', intervals, { default: '1d' }),
  period: field.choice('length of the window', periods, { default: '1y' }),
  minTrades,
  rankBy: field.choice('figure that orders the rows, the best first', rankNames, { default: 'sharpe' }),
  limit: field.integer('most rows', { min: 1, max: 100, default: 20 }),
};

const strategyLeaderboardOutput = {
  ...picked(strategyLeaderboardInput, ['interval', 'period', 'rankBy']),
  source: field.text('market the candles come from'),
  computed: field.flag('whether this leaderboard was computed yet; it is every night'),
  asOf: field.text('close time of the latest candle, ISO 8601; the present time where nothing was computed'),
  feePercent: field.nullable(
    field.number('fee of each side; null where nothing was computed', { unit: 'percent' }),
  ),
  slippagePercent: field.nullable(
    field.number('slippage of each side; null where nothing was computed', { unit: 'percent' }),
  ),
  luckiestSharpe: field.nullable(
    field.number('annualised Sharpe ratio that the best of all rows without skill is expected to reach'),
  ),
  luckiestSharpeReason: nullReasonOf('luckiestSharpe'),
  ranked: field.count('rows that match, beyond the limit too'),
  minTrades,
  tooFewTrades: field.count('rows that only minTrades leaves out'),
  rows: field.list('the rows, the best first', leaderboardRow),
};

export const strategyLeaderboard = describedOperation({
  id: 'strategy-leaderboard',
  summary:
    'The stored nightly results of every strategy on every pair over one period, filtered and ranked. Nothing is computed on request.',
  input: strategyLeaderboardInput,
  output: strategyLeaderboardOutput,
  async handle(asked, deps) {
    const { asset, interval, period, rankBy } = asked;
    const { storage, settings } = deps;
    const market = settings.MARKET;
    const stored = await storage.leaderboards.find({ market, interval, period });
    if (asset !== null && !stored?.rows.some((row) => row.asset === asset)) await requireAsset(asset, deps);
    return {
      payload: {
        interval,
        period,
        rankBy,
        source: market,
        computed: stored !== null,
        asOf: stored?.asOf ?? utcTime(Date.now()),
        feePercent: stored ? stored.costs.feeRate * 100 : null,
        slippagePercent: stored ? stored.costs.slippageRate * 100 : null,
        luckiestSharpe: stored?.luckiestSharpe ?? null,
        luckiestSharpeReason: stored ? null : 'it is not computed yet',
        minTrades: asked.minTrades,
        ...rankedRows(stored?.rows ?? [], asked, strategyLeaderboardRanks[rankBy]),
      },
    };
  },
});

/** Throws `invalid_input` for an asset unknown to the market. An asset whose candles are on their way has no rows yet. */
async function requireAsset(
  asset: string,
  { storage, settings: { MARKET: market } }: Pick<Deps, 'storage' | 'settings'>,
): Promise<void> {
  const known = await storage.series.ofInterval(market, '1h');
  if (known.some(({ base }) => base === asset)) return;
  const { pairs, pending } = await storage.feeds.fill(market);
  const isWaiting = known.length === 0 && pairs === 0 && market !== 'csv';
  if (isWaiting || pending.some(({ base }) => base === asset)) return;
  throw fieldError('asset', unknownAsset('asset', asset, known));
}
