const dayMs = 86_400_000;

/** A channel costs its subscribers more than it can earn if fees take more than this percentage of their capital in a day. */
const mostCostPercent = 2;

/** How much more signals than on a usual day of the last 30 a channel may send in 24 hours. */
const mostRateFactor = 10;

/** As many signals in 24 hours are no churn, however few there were before: a default subscription follows as many in a day. */
const leastChurn = 20;

/** The rate of a younger channel has nothing to be compared with. */
const leastHistoryDays = 7;

/** What a signal has cost its followers of one kind, with money or on paper. */
export interface SignalCosts {
  /** When its last trade closed, in ms since 1970. */
  readonly at: number;
  readonly followers: number;
  /** The mean of their fees, in percent of their capital; null where it is not known. */
  readonly costPercent: number | null;
}

export interface ChurnFacts {
  /** When the signals of the last month were created, in ms since 1970. */
  readonly created: readonly number[];
  /** One list for each kind of followers. */
  readonly costs: readonly (readonly SignalCosts[])[];
  /** When the operator has resumed the channel; what was before does not count again. */
  readonly resumedAt: number | null;
  readonly nowMs: number;
}

/** Why a channel churns, in words; null if it does not. */
export function churnOf({ created, costs, resumedAt, nowMs }: ChurnFacts): string | null {
  const dayAgo = nowMs - dayMs;
  const since = Math.max(dayAgo, resumedAt ?? 0);
  const paid = Math.max(...costs.map((each) => costPercentSince(each, since)));
  if (paid > mostCostPercent)
    return `its trades of 24 hours cost its subscribers ${paid.toFixed(1)} % of their capital in fees, above ${mostCostPercent} %`;
  const earlier = created.filter((at) => at < dayAgo && at >= dayAgo - 30 * dayMs);
  const days = (dayAgo - Math.min(...earlier)) / dayMs;
  if (!(days >= leastHistoryDays)) return null;
  const usual = earlier.length / days;
  const now = created.filter((at) => at >= since).length;
  if (now <= Math.max(leastChurn, mostRateFactor * usual)) return null;
  return `it sent ${now} signals within 24 hours, above ${mostRateFactor} times its usual ${usual.toFixed(1)} a day`;
}

/** What a subscriber has paid on average. Who follows a channel follows the most followed of its signals. */
function costPercentSince(costs: readonly SignalCosts[], since: number): number {
  const recent = costs.filter(({ at }) => at >= since);
  const total = recent.reduce((sum, { costPercent, followers }) => sum + (costPercent ?? 0) * followers, 0);
  return recent.length === 0 ? 0 : total / Math.max(...recent.map(({ followers }) => followers));
}
