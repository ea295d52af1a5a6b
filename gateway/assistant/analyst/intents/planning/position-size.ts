import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { priceArg } from '../../price-arg.js';
import { sentence } from '../../market-words.js';

type PositionSize = Answered<'position-size'>;

export const positionSizeIntent = defineIntent<PositionSize>({
  name: 'position-size',
  title: 'how large a position may be for an account, a risk in percent, an entry and a stop',
  tool: 'calculate_position_size',
  phrases: [
    'position size for an account of {amount} risking {percent} entry {entry} stop {stop}',
    'how many {asset} can i buy with {amount} if i risk {percent} with entry {entry} and stop {stop}',
    'how big should my {asset} trade be with {amount} and {percent} risk',
    'lot size for a {side} on {asset}, account {amount}, risk {percent}',
    'size a {side} in {asset} with entry {entry} and stop {stop}',
    'how much can i put into {asset} if i want to lose at most {percent}',
    'calculate the quantity for entry {entry} stop {stop}',
    'i have {amount} and want to risk {percent} on {asset}',
    'how large a position at {leverage} leverage',
    'position sizing {asset}',
    'what size do i trade with a stop at {stop}',
    'how many coins for {percent} risk',
    'how many {asset} may i buy risking {percent} of {amount}',
    'how big can i go with {amount} and stop {stop}',
    'what quantity for a stop at {stop}',
    'risk {percent} of {amount} on {asset} what size',
    'size my {asset} trade',
    'how much {asset} can i afford if my stop is {stop}',
    'units of {asset} to buy with {percent} at risk',
    'how many contracts with entry {entry} and stop {stop}',
    'work out my size for a {side} on {asset}',
    'bet size for {percent} risk',
    'with {amount} and {percent} risk how many coins of {asset} at {entry} with stop at {stop}',
    'account {amount} risk {percent} {side} {asset} from {entry} stop {stop}',
    'my account is {amount} i risk {percent} entry {entry} stop {stop} how big should the position be',
    'what size should i trade with {amount}',
    'calculate the quantity for {asset} with {amount} and {percent} risk',
    'position size with entry {entry} and stop {stop}',
    'how much should my position be',
    'with {percent} risk',
    'capital {amount} risk {percent} entry {entry} stop {stop}',
    'willing to lose {percent} of {amount} entry {entry} stop {stop} how big',
    '{leverage} {side} on {asset} account {amount} risk {percent} entry {entry} stop {stop}',
  ],
  needs: {
    amount: 'How large is the account, in USDT?',
    percent: 'How many percent of it do you want to risk?',
    entry: 'At which price would you enter?',
    stop: 'Where would the stop be?',
  },
  takes: ['asset', 'side', 'leverage', 'marginType', 'exchange', 'tradeMarket'],
  args: ({ amount, percent, entry, stop, side, leverage, marginType, asset, exchange, tradeMarket }) =>
    decidedArgs({
      account_size: amount,
      risk_percent: percent,
      entry: priceArg(entry),
      stop: priceArg(stop),
      side: side ?? sideOf(entry, stop),
      leverage,
      margin_type: marginType,
      asset,
      exchange,
      trade_market: tradeMarket,
    }),
  answer: (payload, { asset, tradeMarket = 'USDT', amount }) => {
    const { side, quantity, notional, margin, entry, stop, lossAtStop, lossPercent, fees } = payload;
    if (Number(quantity) === 0)
      return {
        lead: 'With this risk not even the smallest order fits.',
        ...(payload.notes.length > 0 ? { caveat: `${sentence(payload.notes.join('; '))}.` } : {}),
        next: 'A closer stop, a larger account or a higher risk leaves room for one.',
      };
    const borrowed = Number(margin) < Number(notional);
    return {
      lead: `The ${side} may be ${writeNumber(quantity, 8)} ${asset ?? 'units'} large, worth ${writePrice(notional)} ${tradeMarket} at an entry of ${writePrice(entry)}.`,
      figures: [
        `At the stop of ${writePrice(stop)} it loses ${writePrice(lossAtStop)} ${tradeMarket}, ${writePercent(lossPercent)} of the account${amount === undefined ? '' : ` of ${writePrice(amount)}`}; fees of ${writePrice(fees.entry)} and ${writePrice(fees.stop)} are part of that.`,
        ...(borrowed ? [`It ties up ${writePrice(margin)} ${tradeMarket} as margin.`] : []),
        ...liquidationWords(payload),
      ],
      caveat:
        payload.notes.length > 0
          ? `${sentence(payload.notes.join('; '))}.`
          : 'A gap in the price can cost more than the stop says.',
    };
  },
});

/** A stop above the entry belongs to a short. */
const sideOf = (entry: number | undefined, stop: number | undefined): 'short' | undefined =>
  entry !== undefined && stop !== undefined && stop > entry ? 'short' : undefined;

const liquidationWords = ({ liquidationPrice, stopComesFirst }: PositionSize): string[] => {
  if (liquidationPrice === null) return [];
  return [
    `It is liquidated at ${writePrice(liquidationPrice)}, ${stopComesFirst ? 'which lies behind the stop' : 'before the stop is reached: the stop does not protect it'}.`,
  ];
};
