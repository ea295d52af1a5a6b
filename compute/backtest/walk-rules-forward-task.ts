import { sliceCandles } from '../model/candles.js';
import { ignoreProgress } from '../model/progress.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { target } from '../model/strategy.js';
import { defineTask, type SeriesQuestion } from '../task.js';
import { runBacktest } from './engine.js';
import { surveyRules, type RuleSurveyParams } from './survey-rules-task.js';
import { ruleDecider } from './sweep-rules-task.js';
import { candlesUntil } from './trade-rules-task.js';
import { walkForwardOf, walkForwardPhases, type Stretch, type WalkForwardReport } from './walk-forward.js';
import { intervalMs, type ResearchInterval } from '../model/interval.js';

export interface RuleWalkParams extends RuleSurveyParams {
  folds: number;
  trainRatio: number;
}

/** Fits the parameters of rules on each training stretch, and trades them on the test that follows. Throws `not_enough_history`. */
export const walkRulesForwardTask = defineTask({
  name: 'walk-rules-forward',
  phases: walkForwardPhases,
  run(
    { candles, interval, params }: SeriesQuestion<RuleWalkParams, ResearchInterval>,
    scratch = new ScratchBuffers(),
    onProgress = ignoreProgress,
  ): WalkForwardReport {
    const { strategy, settings, combinations } = params;
    const known = candlesUntil(candles, interval, settings.toMs);
    const { time } = known;
    const { first } = scratch.within((scratch) => surveyRules(candles, interval, params, scratch));
    const decide = ruleDecider(candles, interval, strategy, settings);
    const endOf = ({ to }: Stretch) => time[to - 1] + intervalMs(interval);
    const held = new Int8Array(time.length).fill(target.long);
    const walked = {
      name: 'the strategy',
      combinations,
      interval,
      time,
      ready: first,
      initialEquity: settings.initialEquity,
      decide(values: Record<string, number>) {
        const { trade } = decide(values);
        return (stretch: Stretch, scratch: ScratchBuffers) =>
          trade(time[stretch.from], scratch, endOf(stretch));
      },
      hold: ({ from, to }: Stretch, scratch: ScratchBuffers) =>
        runBacktest(sliceCandles(known, 0, to), held, from, settings.costs, scratch),
    };
    return walkForwardOf(walked, params, scratch, onProgress);
  },
});
