import type { FlipsOutput } from '../../../../operations/analysis/flip-intelligence.js';
import { writeNumber, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { counted, inQuote, joined, moved, ofCandle } from '../../market-words.js';

type Flip = FlipsOutput['flips'][number];

type FlipCondition = Flip['conditions'][number];

export const whyFlippedIntent = defineIntent<FlipsOutput>({
  name: 'why-flipped',
  title: 'why the trend state of an asset changed last',
  tool: 'get_flip_history',
  phrases: [
    'why did {asset} flip',
    'why is {asset} in {state}',
    'what made {asset} turn to {state}',
    'reason for the last flip of {asset} on {interval}',
    'explain the state change of {asset}',
    'what caused the turn of {asset}',
    'why did {asset} change state on {interval}',
    'how come {asset} is no longer in {state}',
    'which conditions were met when {asset} flipped',
    'what happened to the trend of {asset}',
    'because of what did {asset} leave {state}',
    '{asset} last flip why',
    'what made {asset} flip',
    'why did {asset} turn',
    'what caused the {asset} flip on {interval}',
    'what was behind the last flip of {asset}',
    'what triggered the flip of {asset}',
    'what kicked {asset} into {state}',
    'which rule fired when {asset} went {state}',
    'what set off the turn in {asset}',
    'how did {asset} end up in {state}',
    'on what grounds did {asset} flip',
    'what tipped {asset} into {state}',
    'what pushed {asset} out of {state}',
    'the reasoning behind the state of {asset}',
    'what kicked in when {asset} turned',
    'why did {asset} go {state}',
    'which indicators triggered the {asset} flip',
    'what evidence was behind the last flip of {asset}',
    'why is {asset} {state} now',
    'why did {asset} switch to {state}',
    'what drove the last flip of {asset}',
    'reasons for the state of {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'state'],
  args: (slots) => ({ ...seriesArgs(slots), limit: 1 }),
  answer: ({ asset, interval, tradeMarket, flips }) => {
    const flip = flips.at(0);
    if (!flip)
      return { lead: `${asset} has not changed its trend state on ${interval} in the stored history.` };
    const { date, from, to, close, conditions } = flip;
    return {
      lead: `${asset} turned from ${from} to ${to} on ${interval} with the candle of ${ofCandle(date, interval)}, which closed at ${inQuote(close, tradeMarket)}.`,
      figures: [...conditionWords(conditions), outcomeWords(flip)],
      ...(to === 'wait'
        ? {
            caveat:
              'A turn to wait needs only the band or the strength; the other conditions say how far the trend has weakened.',
          }
        : {}),
    };
  },
});

function conditionWords(conditions: readonly FlipCondition[]): string[] {
  const phrases = (held: boolean) => conditions.filter((each) => each.held === held).map(conditionWord);
  const [met, unmet] = [phrases(true), phrases(false)];
  return [
    ...(met.length > 0 ? [`What was met: ${joined(met)}.`] : []),
    ...(unmet.length > 0 ? [`Not met: ${joined(unmet)}.`] : []),
  ];
}

/** A condition of the rule with what was read. */
function conditionWord({ name, asks, value, threshold }: FlipCondition): string {
  if (name === 'slope') return asks;
  if (name === 'band') return `${asks} (${writePrice(value)} against ${writePrice(threshold)})`;
  if (name === 'direction') return `${asks} (${writeNumber(value)} against ${writeNumber(threshold)})`;
  return name === 'strength' ? `${asks} (it was ${writeNumber(value)})` : asks;
}

function outcomeWords({ outcome: { until, candles, change } }: Flip): string {
  if (candles === 0) return 'That was the last closed candle.';
  const span = until === null ? 'Since then' : 'Until the next change';
  return `${span} the price went ${moved(change)} in ${counted(candles, 'candle')}.`;
}
