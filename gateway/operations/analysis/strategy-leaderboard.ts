import { fieldError } from '../../../compute/model/errors.js';
import { field } from '../../../compute/model/field.js';
import { intervals, periods } from '../../../compute/model/interval.js';
import { nullReasonOf } from '../../../compute/model/null-reason.js';
import { strategyNames } from '../../../compute/strategies/index.js';
import type { LeaderboardRow } from '../../../storage/candles/leaderboards.js';
import type { Deps } from '../../context.js';
import { describedOperation } from './described-operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { leaderboardRow, leaderboardRowView, whyNoLuckiest } from './list-leaderboards.js';
import { unknownAsset } from './series-input.js';

/** The figure that each choice of `rankBy` means. */
const ranks = {
  oos_return: 'outOfSampleReturn',
  sharpe: 'sharpe',
  max_drawdown: 'maxDrawdown',
  excess_return: 'excessReturn',
} as const satisfies Record<string, keyof LeaderboardRow>;

const rankNames = ['oos_return', 'sharpe', 'max_drawdown', 'excess_return'] as const;

const input = {
  strategy: field.nullable(field.choice('one strategy; null: all', strategyNames), { default: null }),
  asset: field.nullable(field.text('one asset; null: all', { maxLength: 20 }), { default: null }),
  interval: field.choice('length of a candle', intervals, { default: '1d' }),
  period: field.choice('length of the window', periods, { default: '1y' }),
  minTrades: field.integer('least closed trades of a row', { min: 0, max: 100_000, default: 20 }),
  rankBy: field.choice('figure that orders the rows, the best first', rankNames, { default: 'sharpe' }),
  limit: field.integer('most rows', { min: 1, max: 100, default: 20 }),
};

const output = {
  interval: input.interval,
  period: input.period,
  rankBy: input.rankBy,
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
  minTrades: input.minTrades,
  tooFewTrades: field.count('rows that only minTrades leaves out'),
  rows: field.list('the rows, the best first', leaderboardRow),
};

export const strategyLeaderboard = describedOperation({
  id: 'strategy-leaderboard',
  summary:
    'The stored nightly results of every strategy on every pair over one period, filtered and ranked. Nothing is computed on request.',
  input,
  output,
  async handle({ strategy, asset, interval, period, minTrades, rankBy, limit }, deps) {
    const { storage, settings } = deps;
    const market = settings.MARKET;
    const stored = await storage.leaderboards.find({ market, interval, period });
    if (asset !== null && !stored?.rows.some((row) => row.asset === asset)) await requireAsset(asset, deps);
    const rank = ranks[rankBy];
    const asked = (stored?.rows ?? []).filter(
      (row) => (strategy ?? row.strategy) === row.strategy && (asset ?? row.asset) === row.asset,
    );
    const rows = asked
      .filter((row) => row.tradeCount >= minTrades)
      // The highest first: a drawdown is 0 or below. Equal rows keep the order of the stored leaderboard.
      .sort((one, other) => (other[rank] ?? -Infinity) - (one[rank] ?? -Infinity) || 0);
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
        luckiestSharpeReason: stored ? whyNoLuckiest(stored.luckiestSharpe) : 'it is not computed yet',
        ranked: rows.length,
        minTrades,
        tooFewTrades: asked.length - rows.length,
        rows: rows.slice(0, limit).map(leaderboardRowView),
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
