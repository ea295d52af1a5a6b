import type { getPositionDetails } from '../../../../operations/portfolio/get-position-details.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { awayFrom, counted, joined } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { profitWords } from '../../outcome-words.js';

type PositionDetails = OutputOf<typeof getPositionDetails>;

type DetailedPosition = PositionDetails['positions'][number];

type Level = DetailedPosition['signals'][number]['levels'][number];

const mostTold = 3;

export const positionDetailsIntent = defineIntent<PositionDetails>({
  name: 'position-details',
  title: 'one of your positions in full: entry, stop, targets, liquidation, fees',
  tool: 'get_position_details',
  phrases: [
    'details of my {asset} position',
    'where is my stop on {asset}',
    'what is my average entry in {asset}',
    'how far is my {asset} position from liquidation',
    'my fills on {asset}',
    'position {asset} on {exchange} in full',
    'how is my {asset} trade doing',
    'how much {asset} do i hold',
    'my {asset} position',
    'what are the targets of my {asset} trade',
    'am i in profit on {asset}',
    'fees i paid on my {asset} position',
    'how far is my stop on {asset}',
    'how is my {asset} going',
    'how much am i up on {asset}',
    'at what price did i get into {asset}',
    'where do i get liquidated on {asset}',
    'how much am i down on my {asset}',
    'what did i pay for my {asset}',
    'size of my {asset} position',
    'when did i open {asset}',
    'did i hit my first target on {asset}',
    'what leverage is my {asset} on',
    'break even of my {asset} position',
    'my {asset} {side}',
    'how is my trade on {asset} going',
    'how much leverage do i have on {asset}',
    'my entry on {asset}',
    'is my {asset} trade in the green',
    'where is my take profit on {asset}',
    'where are my stop and targets on {asset}',
    'liquidation price of my {asset} trade',
    'is my stop on {asset} still in place',
    'which signal opened my {asset} position',
    'show the fills of my {asset} {side}',
    'how far is my {asset} position from its stop and from liquidation',
    'details of my position',
    'fees on my {asset} position',
    'how far away is the first target of my {asset} position',
    'average entry of my {asset} position',
    'my {asset} position on {exchange} in detail',
    'in detail my {asset} trade',
  ],
  needs: { asset: 'Which of your positions do you mean?' },
  takes: ['exchange'],
  yields: ['declined-action'],
  args: ({ asset, exchange }) => decidedArgs({ asset, exchange }),
  answer: ({ asset, positions }) => {
    const [first, ...others] = positions;
    if (!first)
      return {
        lead: `You have no open position in ${asset}.`,
        next: 'Ask for your positions to see what you hold.',
      };
    return {
      lead: holdingWords(first),
      figures: [...levelWords(first), ...liquidationWords(first), ...feeWords(first)],
      caveat:
        first.signals.length === 0
          ? 'No signal manages it, so there is no stop or target of ours.'
          : `${counted(first.signals.length, 'signal')} ${first.signals.length === 1 ? 'manages' : 'manage'} it.`,
      ...(others.length === 0
        ? {}
        : {
            next: `You also hold ${joined(others.slice(0, mostTold).map(({ quantity, exchange, account }) => `${writeNumber(quantity, 5)} on ${exchange} ${account}`))}.`,
          }),
    };
  },
});

const holdingWords = ({
  side,
  quantity,
  asset,
  exchange,
  account,
  averageEntry,
  price,
  pnl,
  tradeMarket,
}: DetailedPosition) =>
  `You are ${side} ${writeNumber(quantity, 5)} ${asset} on ${exchange} ${account}${averageEntry === null ? ', at an unknown entry' : `, entered at ${writePrice(averageEntry)}`}${price === null ? ', with no price known now' : `; at ${writePrice(price)} ${tradeMarket} now`}${pnl === null ? '' : ` that is ${profitWords(pnl, tradeMarket)}`}.`;

const isStop = ({ kind }: Level) => kind === 'stop' || kind === 'trailing_stop';

function levelWords({ signals }: DetailedPosition): string[] {
  const levels = signals.flatMap((signal) => signal.levels);
  const stop = levels.find(isStop);
  const targets = levels.filter(({ kind }) => kind === 'target');
  return [
    ...(stop ? [`The ${stop.kind === 'stop' ? 'stop' : 'trailing stop'} is at ${placeWords(stop)}.`] : []),
    ...(targets.length === 0
      ? []
      : [
          `${targets.length === 1 ? 'The target is' : 'The next targets are'} ${joined(targets.slice(0, mostTold).map(placeWords))}.`,
        ]),
  ];
}

const placeWords = ({ price, distancePercent }: Level): string =>
  `${writePrice(price)}${distancePercent === null ? '' : ` (${awayFrom(distancePercent)} the price)`}`;

const liquidationWords = ({
  liquidationPrice,
  liquidationDistancePercent: away,
}: DetailedPosition): string[] =>
  liquidationPrice === null
    ? []
    : [
        `It is liquidated at ${writePrice(liquidationPrice)}${away === null ? '' : `, ${writePercent(Math.abs(away))} away`}.`,
      ];

const feeWords = ({ fees }: DetailedPosition): string[] =>
  fees.length === 0
    ? []
    : [
        `Fees so far: ${joined(fees.slice(0, mostTold).map(({ asset, amount }) => `${writeNumber(amount, 4)} ${asset}`))}.`,
      ];
