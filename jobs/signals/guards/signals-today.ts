import { Decimal } from '../../../compute/model/decimal.js';
import type { DayExecution } from '../../../storage/signals/executions.js';

/** A signal that is closed at a loss within this time (ms) after its first fill serves its partner alone. */
const quickMs = 60_000;

/** How many signals a user has followed, by user; one that was closed at a loss within a minute counts twice. */
export function signalsToday(followed: readonly DayExecution[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of followed) {
    const weight = isQuickLoss(each) ? 2 : 1;
    counts.set(each.userId, (counts.get(each.userId) ?? 0) + weight);
  }
  return counts;
}

function isQuickLoss({ endedAt, orders, state }: DayExecution): boolean {
  const times = orders.flatMap(({ fills }) => fills.map(({ at }) => at.getTime()));
  if (!endedAt || !state || times.length === 0) return false;
  if (Math.max(...times) - Math.min(...times) >= quickMs) return false;
  const { entryValue, exitValue, quoteFees, funding } = state.position;
  const gain = Decimal.read(exitValue).minus(Decimal.read(entryValue));
  const earned = state.side === 'long' ? gain : gain.negated();
  return earned.minus(Decimal.read(quoteFees)).plus(Decimal.read(funding)).sign < 0;
}
