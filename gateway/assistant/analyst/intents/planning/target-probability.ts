import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeCount, writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { spannedCandles } from '../../market-args.js';
import { counted } from '../../market-words.js';
import { priceArg } from '../../price-arg.js';

type TargetProbability = Answered<'target-probability'>;

type Touches = TargetProbability['all'];

/** Fewer independent starts make the interval too wide to lean on. */
const fewStarts = 20;

export const targetProbabilityIntent = defineIntent<TargetProbability>({
  name: 'target-probability',
  title: 'how often a target was reached before a stop in the past',
  tool: 'estimate_target_probability',
  phrases: [
    'chance that {asset} hits {target} before {stop}',
    'how likely is {asset} to reach {target} before falling to {stop}',
    'probability of target {target} before stop {stop} for {asset}',
    'odds of {asset} touching {target} first with a stop at {stop}',
    'how often did {asset} get to {target} before {stop}',
    'hit rate of a {side} in {asset} with target {target} and stop {stop}',
    'target before stop {asset}',
    'what are the odds for my {side} on {asset} entry {entry} target {target} stop {stop}',
    'would {asset} tag {target} or {stop} first, historically',
    'is target {target} realistic for {asset} with stop {stop}',
    'success probability of a {asset} {side}',
    'how often does a move of {asset} to {target} come before a drop to {stop} on {interval}',
    'does {asset} see {target} or {stop} first',
    'does {asset} make it to {target} before {stop}',
    'chances of hitting {target} with a stop at {stop} on {asset}',
    'how probable is my target {target} on {asset}',
    'what comes first on {asset} {target} or {stop}',
    'how many times did {asset} run to {target} without touching {stop}',
    'does {target} get hit before {stop}',
    'likelihood that my {asset} {side} works out with target {target} and stop {stop}',
    'chance that i get stopped at {stop} before {target} on {asset}',
    'will {asset} more often reach {target} than {stop} first',
    'chance {asset} touches {target} before it drops to {stop}',
    'odds that {asset} reaches {target} before hitting {stop} in {windowHours}',
    'which comes first for {asset} {price} or {price}',
    'will {asset} make {target} before {stop} statistically',
    'likelihood of {asset} touching {target} with a stop loss at {stop}',
    'my chance with a {side} in {asset} target {target} stop {stop}',
    'hit rate for {asset} {side} entry {entry} target {target} stop {stop}',
    'how likely is {asset} to reach {target} before it hits my stop',
    'probability that {asset} gets to {target} before {stop} within {candles} candles',
    'how probable is it that {asset} goes to {target} first',
    'if i {side} {asset} at {entry} with stop {stop} and target {target} what are my odds',
  ],
  needs: {
    asset: 'Which asset do you mean?',
    target: 'Which target price?',
    stop: 'And which stop price?',
  },
  takes: ['side', 'entry', 'interval', 'candles', 'tradeMarket', 'windowHours', 'period', 'isToday'],
  args: ({ asset, side, entry, target, stop, interval, tradeMarket, ...within }) =>
    decidedArgs({
      asset,
      interval,
      side: side ?? (target !== undefined && stop !== undefined && target < stop ? 'short' : undefined),
      entry: priceArg(entry),
      target: priceArg(target),
      stop: priceArg(stop),
      max_candles: spannedCandles({ ...within, interval }, { most: 500 }),
      trade_market: tradeMarket,
    }),
  answer: ({ asset, interval, all, similar, breakEvenPercent, rewardToRisk, entry }, { target, stop }) => {
    const between = `${target === undefined ? 'the target' : writePrice(target)} before ${stop === undefined ? 'the stop' : writePrice(stop)}`;
    if (all.targetPercent === null)
      return {
        lead: `The history of ${asset} on ${interval} is too short to say how often it reached ${between}.`,
      };
    return {
      lead: `From moves of the same size in the past, ${asset} reached ${between} in ${writePercent(all.targetPercent)} of ${counted(all.count, 'case')} on ${interval}${rangeWords(all)}.`,
      figures: [
        `From an entry of ${writePrice(entry)} the target is ${writeNumber(rewardToRisk)} times as far as the stop, so reaching it in ${writePercent(breakEvenPercent)} of cases would break even.`,
        ...similarWords(similar),
        ...expectedWords(all),
      ],
      caveat:
        all.independent < fewStarts
          ? `The cases overlap and count as only ${writeNumber(all.independent, 2)} independent ones: the range is wide, so this is a hint at most.`
          : 'What happened before need not happen again, and costs are not included.',
    };
  },
});

const rangeWords = ({ targetLowPercent, targetHighPercent }: Touches): string =>
  targetLowPercent === null || targetHighPercent === null
    ? ''
    : `; the confidence interval goes from ${writePercent(targetLowPercent)} to ${writePercent(targetHighPercent)}`;

const similarWords = ({ targetPercent, count }: TargetProbability['similar']): string[] =>
  targetPercent === null
    ? ['There were no cases in similar volatility.']
    : [`In volatility like now it was ${writePercent(targetPercent)} of ${writeCount(count)}.`];

const expectedWords = ({ expectedR, neitherPercent }: Touches): string[] =>
  expectedR === null || neitherPercent === null
    ? []
    : [
        `The mean result was ${writeNumber(expectedR)} R; ${writePercent(neitherPercent)} touched neither in time.`,
      ];
