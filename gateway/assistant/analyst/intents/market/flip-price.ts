import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { seriesArgs } from '../../market-args.js';
import { awayFrom, counted, inQuote } from '../../market-words.js';

type FlipPriceAnswer = Answered<'flip-price'>;

type FlipGoal = FlipPriceAnswer['targets'][number];

export const flipPriceIntent = defineIntent<FlipPriceAnswer>({
  name: 'flip-price',
  title: 'the closing price at which the trend state of an asset would change',
  tool: 'get_flip_price',
  phrases: [
    'what would flip {asset}',
    'flip price of {asset} on {interval}',
    'at what price does {asset} flip',
    'where does {asset} turn to {state}',
    'how far is {asset} from a flip',
    'what price would change the state of {asset}',
    'which close turns {asset} to {state} on {interval}',
    'what has to happen for {asset} to go to {state}',
    'how low must {asset} close to lose its state',
    'price needed for {asset} to enter {state}',
    'is {asset} close to flipping',
    '{asset} flip level',
    'when will {asset} flip to {state}',
    'where would {asset} flip',
    'how near is {asset} to a flip',
    'how much must {asset} fall to change state',
    'how much must {asset} rise before it is {state}',
    'what would turn {asset} around',
    'is {asset} near a flip',
    'what would change the state of {asset}',
    'what would change {asset}',
    'flip level of {asset} on {interval}',
    'what must happen for {asset} to become {state}',
    'how far away is the flip of {asset}',
    'where is the line in the sand for {asset}',
    'what does {asset} need to do to go {state}',
    'how far off is the next flip of {asset}',
    'which price kills the trend of {asset}',
    'where does the trend of {asset} break',
    'what level would turn {asset} {state}',
    'at which close is {asset} no longer {state}',
    'what does it take for {asset} to flip',
    'trigger price for a flip of {asset}',
    'how much room does {asset} have before it flips',
    'what close would kick {asset} out of {state}',
    'how far can {asset} drop without flipping',
    'distance to the flip of {asset}',
    'which close would change the state of {asset}',
    'at what price does {asset} stop being {state}',
    'what price would break the trend of {asset}',
    'what would break the {asset} trend',
    'when does {asset} turn {state}',
    'which level must {asset} hold to stay {state}',
    'what keeps {asset} {state}',
    'where would the trend on {asset} change',
    'price at which {asset} leaves {state}',
    'if {asset} drops at what close does it turn',
    'at which level does the state of {asset} change',
    'how many atr is {asset} away from its flip price',
    'what would it take to flip {asset}',
    'how low can {asset} go before it turns {state}',
    'flip price and distance of {asset}',
    'what closing price changes the state of {asset} on the next candle',
    'which price puts {asset} in {state}',
    'what is the flip price then',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['interval', 'tradeMarket', 'state'],
  why: 'why-flipped',
  args: seriesArgs,
  answer: (payload, { state }) => {
    const { asset, interval, state: now, price, tradeMarket, unmoved } = payload;
    const [first, second] = inOrder(payload.targets, state);
    const asked = state === now ? `${asset} is in ${state} on ${interval} already. ` : '';
    return {
      lead: `${asked}${goalWords(first, payload)}`,
      figures: [
        goalWords(second, payload),
        `Now it is in ${now} at ${inQuote(price, tradeMarket)}.`,
        ...(unmoved === now ? [] : [`A candle that closes where the last one did turns it to ${unmoved}.`]),
      ],
      caveat: 'This holds for the next candle if it opens at the last close and has no wicks.',
    };
  },
});

/** The state that was asked for first, else the one that the next candle can bring with the smaller move. */
function inOrder(targets: readonly FlipGoal[], asked: string | undefined): readonly FlipGoal[] {
  const reach = ({ to, nearest }: FlipGoal) =>
    to === asked ? -1 : nearest === null ? Infinity : Math.abs(nearest.percent);
  return [...targets].sort((left, right) => reach(left) - reach(right));
}

function goalWords({ to, nearest, candlesNeeded, agreeing }: FlipGoal, payload: FlipPriceAnswer): string {
  const { asset, interval, tradeMarket } = payload;
  const closing = (close: number, percent: number) =>
    `${inQuote(close, tradeMarket)}, ${awayFrom(percent)} the last close`;
  if (nearest)
    return `The nearest close that turns ${asset} to ${to} on the next ${interval} candle is ${closing(nearest.close, nearest.percent)}.`;
  const needed = `No close of the next ${interval} candle turns ${asset} to ${to}`;
  if (!agreeing || candlesNeeded < 2) return `${needed}.`;
  return `${needed}: that takes at least ${counted(candlesNeeded, 'candle')}, the first with a close of ${closing(agreeing.close, agreeing.percent)}.`;
}
