import { field, type Value } from '../../../compute/model/field.js';
import { nullReason, reasonsOf } from '../../../compute/model/null-reason.js';
import type { LeaderboardRow } from '../../../storage/candles/leaderboards.js';

const percent = (text: string) => field.nullable(field.number(text, { unit: 'percent' }));

const olderVersion = 'an older version computed the leaderboard';

/** A row of a leaderboard, as answers show it. */
export const leaderboardRow = field.object('a strategy on a pair', {
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

/** A stored row as answers show it: what an older version did not compute is null. */
export const leaderboardRowView = (row: LeaderboardRow): Value<typeof leaderboardRow> => ({
  ...row,
  outOfSampleReturn: row.outOfSampleReturn ?? null,
  excessReturn: row.excessReturn ?? null,
  significant: row.significant ?? null,
  reason: whyNull(row),
});

const whyNull = ({ sharpe, outOfSampleReturn, significant }: LeaderboardRow): string | null =>
  reasonsOf(
    sharpe === null && 'the returns do not vary',
    outOfSampleReturn === null && 'the window has fewer than 10 candles',
    significant === undefined && olderVersion,
  );

/** Why a stored leaderboard has no luckiest Sharpe ratio; null where it has. */
export const whyNoLuckiest = (luckiest: number | undefined): string | null =>
  luckiest === undefined ? olderVersion : null;
