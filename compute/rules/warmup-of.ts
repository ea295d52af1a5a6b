import { coreLineParams } from '../core-line/rule.js';
import { atr } from '../indicators/atr.js';
import { intervalMs, type ResearchInterval } from '../model/interval.js';
import type { RuleColumn } from './rule-column.js';
import { atrPeriodsOf, type StrategyRules } from './strategy-rules.js';

/**
 * The candles before the first on which every column of the rules has a value. A column on a longer interval may need up to one
 * of its candles more, because the history can begin inside one.
 */
export function warmupOf(rules: StrategyRules, interval: ResearchInterval): number {
  const columns = rules.columns.map((column) => {
    const own = ownWarmup(column) + column.back;
    if (column.interval === null) return own;
    return Math.round(((own + 1) * intervalMs(column.interval)) / intervalMs(interval)) - 1;
  });
  const levels = atrPeriodsOf(rules).map((period) => atr.warmup({ period }, 'atr'));
  const size = rules.size?.kind === 'volatilityPercent' ? rules.size.period : 0;
  return Math.max(0, size, ...columns, ...levels);
}

function ownWarmup({ field }: RuleColumn): number {
  switch (field.kind) {
    case 'price':
      return 0;
    case 'change':
      return field.candles;
    case 'state':
    case 'days_in_state':
      return coreLineParams.readyIndex;
    case 'indicator':
      return field.indicator.warmup(field.params, field.output);
  }
}
