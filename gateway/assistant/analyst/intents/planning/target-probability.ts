import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeCount, writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
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
  ],
  needs: {
    asset: 'Which asset do you mean?',
    target: 'Which target price?',
    stop: 'And which stop price?',
  },
  takes: ['side', 'entry', 'interval', 'candles', 'tradeMarket'],
  args: ({ asset, side, entry, target, stop, interval, candles, tradeMarket }) =>
    decidedArgs({
      asset,
      interval,
      side: side ?? (target !== undefined && stop !== undefined && target < stop ? 'short' : undefined),
      entry: priceArg(entry),
      target: priceArg(target),
      stop: priceArg(stop),
      max_candles: candles,
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
