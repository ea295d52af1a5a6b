import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { intervalMs, type ResearchInterval } from '../model/interval.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import { createRandom } from '../model/random.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { decideRulesAlone, type RuleDecisions } from '../rules/decide-rules.js';
import type { RuleColumn } from '../rules/rule-column.js';
import type { StrategyRules } from '../rules/strategy-rules.js';
import { tradeRules, type RuleAccount, type RuleAsset, type RuleRun, type RuleTrade } from './trade-rules.js';

/** How many candles are checked of a series of this length, and how many runs. */
export const checkedCandles = (length: number): number => Math.min(length, length > 100_000 ? 5 : 20);
export const checkedRuns = 3;

export interface RuleDecider {
  rules: StrategyRules;
  rankBy: RuleColumn | null;
  interval: ResearchInterval;
}

/**
 * Recomputes the decisions and the columns of sizes and levels at random candles from data that end there, longer intervals
 * included. Throws `look_ahead` at a difference.
 */
export function checkDecisions(
  { rules, rankBy, interval }: RuleDecider,
  candles: Candles,
  decisions: RuleDecisions,
  seed: number,
  scratch: ScratchBuffers,
  onProgress: OnProgress = ignoreProgress,
): void {
  const { length } = candles.time;
  const { uint32 } = createRandom(seed);
  const first = Math.max(0, decisions.slowest.at);
  const count = checkedCandles(length - first);
  for (let n = 0; n < count; n++) {
    onProgress('check', n / count);
    const at = first + (uint32() % (length - first));
    scratch.within((scratch) => {
      const cut = sliceCandles(candles, 0, at + 1);
      const alone = decideRulesAlone(rules, rankBy, cut, interval, scratch);
      if (isSame(alone, decisions, at)) return;
      const message = `the rules decide differently at candle ${at} when they can't see what follows`;
      throw new AppError('look_ahead', message, { details: { candle: at, time: candles.time[at] } });
    });
  }
}

const isSame = (alone: RuleDecisions, decisions: RuleDecisions, at: number): boolean =>
  alone.bits[at] === decisions.bits[at] &&
  Object.entries(decisions.atr).every(([period, column]) =>
    Object.is(alone.atr[Number(period)][at], column[at]),
  ) &&
  (decisions.rank === null || Object.is(alone.rank![at], decisions.rank[at]));

/**
 * Repeats a run on data that end at random times: the trades that were closed before must be the same. Throws `look_ahead` at a
 * difference.
 */
export function checkRun(
  { rules, rankBy, interval }: RuleDecider,
  assets: readonly RuleAsset[],
  account: RuleAccount,
  run: RuleRun,
  seed: number,
  scratch: ScratchBuffers,
): void {
  const { uint32 } = createRandom(seed);
  const lengthMs = intervalMs(interval);
  for (let n = 0; n < checkedRuns; n++) {
    const endMs = run.time[uint32() % run.time.length] + lengthMs;
    const ends = assets.map(({ candles }) => firstCandleFrom(candles.time, endMs - lengthMs + 1));
    scratch.within((scratch) => {
      const cut = assets.map(({ candles }, a) => {
        const known = sliceCandles(candles, 0, ends[a]);
        return { candles: known, decisions: decideRulesAlone(rules, rankBy, known, interval, scratch) };
      });
      const again = tradeRules(cut, account, run.time[0], scratch);
      const before = untilMs(assets, ends);
      const [first, second] = [run, again].map(({ trades }) => closedBefore(trades, assets, before));
      if (JSON.stringify(first) === JSON.stringify(second)) return;
      const message = `the rules trade differently before ${new Date(before).toISOString()} when they can't see what follows`;
      throw new AppError('look_ahead', message, { details: { time: before } });
    });
  }
}

/** The first time at which a cut asset sells what it would otherwise keep: its last candle. */
function untilMs(assets: readonly RuleAsset[], ends: readonly number[]): number {
  const lasts = assets.flatMap(({ candles: { time } }, a) =>
    ends[a] > 0 && ends[a] < time.length ? [time[ends[a] - 1]] : [],
  );
  return Math.min(...lasts);
}

const closedBefore = (trades: readonly RuleTrade[], assets: readonly RuleAsset[], timeMs: number) =>
  trades.filter(({ asset, exit }) => assets[asset].candles.time[exit] < timeMs);
