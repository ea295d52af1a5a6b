import type { plannedTrade } from '../../../../operations/analysis/planned-trade.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, inQuote, joined, sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { priceArg } from '../../price-arg.js';

type TradePlan = OutputOf<typeof plannedTrade>;

/** More targets than the tool plans. */
const mostTargets = 6;

export const tradeLevelsIntent = defineIntent<TradePlan>({
  name: 'trade-levels',
  title: 'candidates for entry, stop and targets of a trade, from volatility and chart levels',
  tool: 'plan_trade_levels',
  phrases: [
    'plan a {side} on {asset}',
    'entry stop and targets for {asset}',
    'trade levels for a {side} in {asset} on {interval}',
    'where would a stop sit for a {asset} {side}',
    'take profit levels for {asset}',
    'trade plan {asset}',
    'set up a {side} trade in {asset} from {entry}',
    'give me a setup for {asset} with {count} targets',
    'where to put my stop and take profits on {asset}',
    'levels to trade {asset} {side} on {interval}',
    'stop loss for {asset} {side}',
    '{riskStyle} stop plan for {asset}',
    'sketch a {side} in {asset}',
    'risk reward of a {asset} {side}',
    'where do i put my stop on {asset}',
    'sensible stop for {asset}',
    'what would a {side} on {asset} look like',
    'map out a {asset} trade',
    'entry zone for {asset}',
    'where are good targets for {asset}',
    'draft a trade on {asset}',
    'where do stop and targets go on a {asset} {side}',
    'build me a {side} plan for {asset}',
    'good entry for {asset}',
    'setup for {asset}',
    'where to take profit on a {asset} {side}',
    'work me out an entry range for {asset}',
    'trade setup {asset} {side} {count} targets',
    '{asset} {side} {count} targets {riskStyle} risk',
    'work out entry stop and targets for a {side}',
    'where should my stop be for a {asset} {side}',
    'where should the stop go on {asset}',
    'reasonable stop and target for {asset}',
    'give me {count} targets for a {side} in {asset}',
    'draw up a trade plan for {asset}',
    'levels for a {asset} {side} with a {riskStyle} stop',
    'plan a trade',
    'with a {riskStyle} stop',
    'suggest take profit levels for {asset}',
    'map out a {side} on {asset} with {count} targets',
    'where do i put the stop if i {side} {asset}',
    'give me entries and exits for {asset}',
    'entries stops and targets for {asset}',
  ],
  needs: { asset: 'Which asset do you mean?' },
  takes: ['side', 'interval', 'entry', 'riskStyle', 'count', 'tradeMarket'],
  args: ({ asset, side, interval, entry, riskStyle, count, tradeMarket }) =>
    decidedArgs({
      asset,
      side,
      interval,
      entry: priceArg(entry),
      risk_style: riskStyle,
      targets: count === undefined ? undefined : Math.min(mostTargets, Math.max(1, count)),
      trade_market: tradeMarket,
    }),
  answer: ({ asset, tradeMarket, side, entry, stop, targets, obstacles, notes }) => {
    const [first] = targets;
    return {
      lead: `A ${side} in ${asset} could enter between ${writePrice(entry.min)} and ${inQuote(entry.max, tradeMarket)}, with the stop at ${writePrice(stop.price)}${targets.length === 0 ? ' and no target in reach' : ` and ${targets.length === 1 ? 'a target' : 'targets'} at ${joined(targets.map(({ price }) => writePrice(price)))}`}.`,
      figures: [
        `The stop is ${writePercent(stop.riskPercent)} from the entry, ${writeNumber(stop.riskAtr)} times the usual range of a candle${stop.basis === 'swing' ? ', and lies behind the last swing' : ''}.`,
        ...(first
          ? [
              `The first target pays ${writeNumber(first.r)} R; to break even it would have to be reached in ${writePercent(first.breakEvenPercent)} of such trades.`,
            ]
          : []),
      ],
      caveat: caveatOf(obstacles.length, notes),
      next: 'Ask how often the first target came before the stop.',
    };
  },
});

const caveatOf = (obstacles: number, notes: readonly string[]): string => {
  const inTheWay =
    obstacles === 0
      ? []
      : [
          `${counted(obstacles, 'level')} ${obstacles === 1 ? 'lies' : 'lie'} between the entry and the first target`,
        ];
  const all = [...inTheWay, ...notes];
  return `${all.length === 0 ? '' : `${sentence(all.join('; '))}. `}These are levels of the chart, not advice, and no order is placed.`;
};
