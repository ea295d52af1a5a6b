import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, sentence } from '../../market-words.js';
import { priceArg } from '../../price-arg.js';
import type { Slots } from '../../slots.js';

type DcaLadder = Answered<'dca-ladder'>;

/** The most levels below the first buy that the tool takes. */
const mostLevels = 20;

export const dcaLadderIntent = defineIntent<DcaLadder>({
  name: 'dca-ladder',
  title: 'average entry, break-even and loss at the stop of a ladder of buys',
  tool: 'estimate_dca_ladder',
  phrases: [
    'dca ladder {prices} with {amount} each',
    'average entry if i buy {asset} at {prices} for {amount} each',
    'averaging down on {asset} at {prices} with {amount} a step',
    'break even of buys at {prices} with {amount} each',
    'what is my average after buying at {prices}',
    'ladder of buys at {prices}, {amount} per order, stop {stop}',
    'rebuy at {prices} what would my break even be',
    'if i scale in at {prices} with {amount} where do i stand',
    'first buy {amount} at {prices}',
    'how much do i lose at {stop} when i buy at {prices}',
    'cost average of {amount} at {prices}',
    'buy the dip ladder {prices}',
    'where does my average end up after buying at {prices}',
    'if i keep buying at {prices} what is my average',
    '{amount} at {prices} then more lower',
    'double down at {prices}',
    'spread {amount} over {prices}',
    'my break even if i add at {prices}',
    'what do i pay on average with orders at {prices}',
    'layer bids at {prices}',
    'staggered buys at {prices} with {amount}',
    'safety orders at {prices}',
    'martingale at {prices} from {amount}',
    'dca levels {prices}',
    'rebuy zones at {prices} with {amount} each',
    'first buy {amount} at {price} then double at {price}',
    'what is my cost basis after buying at {prices}',
    'start with {amount} at {price} then more at {price} average price',
    'how far must the price rise to get out even after buying at {prices}',
    'dca ladder first buy {amount} at {price} then same size at {price}',
    'ladder of buys',
    'average and break even of {amount} at {prices}',
    'loss at {stop} of a ladder at {prices}',
  ],
  needs: {
    prices: 'At which prices would you buy? Name at least two, the highest first.',
    amount: 'How much would each buy spend, in USDT?',
  },
  takes: ['asset', 'stop', 'feePercent', 'percent', 'count', 'multipliers'],
  args: (slots) => {
    const [first, ...further] = ladderOf(slots);
    const sizes = slots.multipliers ?? [];
    return decidedArgs({
      first_price: priceArg(first),
      first_amount: slots.amount,
      levels: further.slice(0, mostLevels).map((price, n) => ({
        buy_price: priceArg(price),
        multiplier: sizes.length === further.length ? sizes[n] : 1,
      })),
      stop: priceArg(slots.stop),
      fee_percent: slots.feePercent,
    });
  },
  answer: ({ fills, notes }, { asset, tradeMarket = 'USDT' }) => {
    const last = fills.at(-1);
    if (!last?.averageEntry)
      return {
        lead: 'The amount is too small to buy anything at these prices.',
        next: 'Name a larger amount.',
      };
    return {
      lead: `After ${fills.length === 1 ? 'the buy' : 'all buys'} you hold ${writeNumber(last.totalQuantity, 5)} ${asset ?? 'units'} at an average of ${writePrice(last.averageEntry)} ${tradeMarket}, and break even at ${writePrice(last.breakEven ?? last.averageEntry)}.`,
      figures: [
        `That costs ${writePrice(last.totalCost)} ${tradeMarket} in ${counted(fills.length, 'order')}, fees included.`,
        ...(last.riseToBreakEvenPercent === null
          ? []
          : [`From the lowest buy the price has to rise ${writePercent(last.riseToBreakEvenPercent)}.`]),
        ...(last.lossAtStop === null || last.lossAtStopPercent === null
          ? []
          : [
              `At the stop you lose ${writePrice(last.lossAtStop)} ${tradeMarket}, ${writePercent(last.lossAtStopPercent)} of the cost.`,
            ]),
      ],
      caveat: notes.length > 0 ? `${sentence(notes.join('; '))}.` : caveatOf(last.lossAtStop),
    };
  },
});

/** The prices from the highest down; one price with steps in percent makes a ladder as well. */
function ladderOf({ prices = [], percent, count = 2, entry }: Slots): number[] {
  const named = [...new Set(entry === undefined ? prices : [entry, ...prices])].sort(
    (one, other) => other - one,
  );
  if (named.length !== 1 || percent === undefined) return named;
  const [first] = named;
  const steps = Array.from(
    { length: Math.min(mostLevels, count) },
    (_, n) => first * (1 - percent / 100) ** (n + 1),
  );
  return [first, ...steps.map((price) => Number(price.toPrecision(8)))];
}

const caveatOf = (lossAtStop: string | null): string =>
  lossAtStop === null
    ? 'There is no stop in this ladder, so the loss has no limit.'
    : 'Each buy raises what is at risk when the price keeps falling.';
