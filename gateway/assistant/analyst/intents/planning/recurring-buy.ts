import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, sentence, signed } from '../../market-words.js';

type RecurringBuy = Answered<'recurring-buy'>;

type BuyOutcome = NonNullable<RecurringBuy['recurring']>;

export const recurringBuyIntent = defineIntent<RecurringBuy>({
  name: 'recurring-buy',
  title: 'what regular buys of an asset would have become, against one lump sum',
  tool: 'simulate_recurring_buy',
  phrases: [
    'what if i had bought {amount} of {asset} every {every} for {period}',
    '{amount} of {asset} each {every}',
    'dca {amount} into {asset} {every}ly over {period}',
    'weekly buys of {amount} in {asset} versus a lump sum',
    'savings plan in {asset} with {amount} a {every}',
    'buy {amount} of {asset} regularly',
    'recurring buy of {asset}',
    'is it better to buy {asset} bit by bit or all at once',
    'if i put {amount} a {every} into {asset} where would i stand',
    'simulate buying {amount} {asset} every {every}',
    'buy {amount} of {asset} every {every} only in {state}',
    'dollar cost averaging {asset} for {period}',
    'how much would {amount} a {every} in {asset} be worth now',
    'stacking {asset} every {every}',
    'if i had bought {asset} for {amount} every {every}',
    'auto buy {amount} of {asset} each {every} what would i have',
    'put {amount} aside every {every} for {asset}',
    'what did a savings plan of {amount} a {every} in {asset} make',
    'lump sum or dca for {asset}',
    'regular investing in {asset}',
    'average cost of buying {asset} every {every}',
    'all in at once or spread over {period} on {asset}',
    'how would drip buying {asset} have gone',
    'savings plan {asset} {amount} a {every} what would it be worth now',
    'would dca have beaten a lump sum in {asset}',
    'put {amount} into {asset} every {every}',
    'suppose i had put {amount} into {asset} every {every}',
    '{amount} {every} in {asset} only when in {state}',
    '{asset} {every} buys versus lump sum',
    'only while it was in {state}',
    'what would buying {asset} every {every} have got me',
    'recurring buy of {amount} {asset} each {every} for {period}',
    'monthly buys of {amount} in {asset}',
    'how would investing {amount} a {every} in {asset} have gone',
    'dca {amount} a {every} into {asset}',
    'if i had been stacking {asset} {every}',
    'dca into {asset}',
    'what would {amount} of {asset} a {every} have turned into',
  ],
  needs: { asset: 'Which asset do you mean?', amount: 'How much would each buy spend, in USDT?' },
  takes: ['every', 'period', 'state', 'tradeMarket'],
  args: ({ asset, amount, every, period, state, tradeMarket }) =>
    decidedArgs({ asset, amount, every, period, only_state: state, trade_market: tradeMarket }),
  answer: ({ asset, tradeMarket, recurring, lumpSum, differencePoints, skipped, scheduled, notes }) => {
    if (!recurring)
      return {
        lead: `Nothing would have been bought: ${asset} was not in that state at any of ${counted(scheduled, 'scheduled buy')}.`,
      };
    return {
      lead: `${counted(recurring.buys, 'buy')} of ${asset} for ${writePrice(recurring.invested)} ${tradeMarket} in all would be worth ${writePrice(recurring.value)} ${tradeMarket} now: ${signed(recurring.returnPercent)}.`,
      figures: [
        `The average cost is ${writePrice(recurring.averageCost)} ${tradeMarket}${fallWords(recurring)}.`,
        ...(lumpSum && differencePoints !== null ? [lumpWords(lumpSum, differencePoints)] : []),
        ...(skipped > 0
          ? [`${counted(skipped, 'buy')} ${skipped === 1 ? 'was' : 'were'} left out because of the state.`]
          : []),
      ],
      caveat:
        notes.length > 0
          ? `${sentence(notes.join('; '))}.`
          : 'One stretch of history says little about the next.',
    };
  },
});

const fallWords = ({ worstAgainstInvestedPercent: worst }: BuyOutcome): string =>
  worst < 0
    ? `, and at the worst moment the plan was ${writePercent(-worst)} below what had been paid in`
    : '';

const lumpWords = ({ returnPercent }: BuyOutcome, points: number): string =>
  `All of it at once would have returned ${signed(returnPercent)}, so the regular buys did ${points === 0 ? 'as well' : points > 0 ? 'better' : 'worse'}.`;
