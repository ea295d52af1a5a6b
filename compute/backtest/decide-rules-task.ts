import type { Candles } from '../model/candles.js';
import type { ResearchInterval } from '../model/interval.js';
import { ignoreProgress, reportPart } from '../model/progress.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { StrategyJson } from '../rules/canonical-rules.js';
import { decideRulesAlone, type RuleDecisions } from '../rules/decide-rules.js';
import { parseStrategy } from '../rules/parse-strategy.js';
import { parseRank } from '../rules/rule-rank.js';
import { defineTask } from '../task.js';
import { checkDecisions } from './check-rules.js';

export interface DecideRulesInput {
  /** All closed candles of the series. */
  candles: Candles;
  interval: ResearchInterval;
  /** The rules with their parameters filled in. */
  strategy: StrategyJson;
  /** The column that entries of one open are ranked by; null: none. */
  rankBy: string | null;
  /** Seed of the look-ahead check. */
  seed: number;
}

/**
 * The decisions of rules on every candle, in shared memory, after they have passed the look-ahead check. They depend on the
 * candles and the rules alone, so one result serves every window and cost. Throws `look_ahead`.
 */
export const decideRulesTask = defineTask({
  name: 'decide-rules',
  phases: ['decide', 'check'],
  run(input: DecideRulesInput, scratch = new ScratchBuffers(), onProgress = ignoreProgress): RuleDecisions {
    const { candles, interval, seed } = input;
    const rules = parseStrategy(input.strategy, { interval });
    const rankBy = input.rankBy === null ? null : parseRank(input.rankBy, interval).column;
    onProgress('decide', 0.01);
    const decisions = shared(decideRulesAlone(rules, rankBy, candles, interval, scratch));
    const decider = { rules, rankBy, interval };
    checkDecisions(decider, candles, decisions, seed, scratch, reportPart(onProgress, 0.1, 1));
    return decisions;
  },
});

/** A copy in memory that threads share. */
function shared({ bits, atr, rank, slowest }: RuleDecisions): RuleDecisions {
  const column = (values: Float64Array) => {
    const copy = new Float64Array(new SharedArrayBuffer(values.byteLength));
    copy.set(values);
    return copy;
  };
  const copied = new Uint8Array(new SharedArrayBuffer(bits.byteLength));
  copied.set(bits);
  return {
    bits: copied,
    atr: Object.fromEntries(Object.entries(atr).map(([period, values]) => [period, column(values)])),
    rank: rank && column(rank),
    slowest,
  };
}
