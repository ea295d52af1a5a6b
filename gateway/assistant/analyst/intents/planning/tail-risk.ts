import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeCount, writeDate, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, joined, signed } from '../../market-words.js';
import type { Slots } from '../../slots.js';

type TailRisk = Answered<'tail-risk'>;

type HorizonLosses = TailRisk['horizons'][number]['losses'][number];

export const tailRiskIntent = defineIntent<TailRisk>({
  name: 'tail-risk',
  title: 'how much an asset or a basket can lose: value at risk, worst days, deepest falls',
  tool: 'get_tail_risk',
  phrases: [
    'value at risk of {asset}',
    'tail risk of {weights}',
    'how much can {asset} lose on a bad day',
    'worst days of {asset}',
    'var and cvar for {asset}',
    'expected shortfall of {weights}',
    'deepest drawdowns of {asset} and how long they took to recover',
    'how bad can it get with {weights}',
    'what is the worst case loss of {asset} in a week',
    'crash risk {asset}',
    'biggest daily drop {asset} ever had',
    'how ugly were past falls of {asset}',
    'potential loss of a basket with {weights}',
    'how hard can {asset} crash',
    'worst that can happen with {asset}',
    'worst month of {asset}',
    'how long did {asset} take to recover from its falls',
    'largest fall of {asset} in a day',
    'extreme losses of {asset}',
    'how much can i lose with {weights}',
    'black swan risk of {asset}',
    'how fat are the tails of {asset}',
    'biggest crashes of {asset}',
    'how deep could {weights} fall',
    'worst drawdowns of {asset}',
    'what were the worst days of {asset}',
    'how bad was the biggest crash of {asset}',
    'var of {weights} over the last {windowHours}',
    'worst drawdowns of {asset} in the last {windowHours}',
    'potential monthly loss for {weights}',
    'tail risk {asset} with {period} of history',
    'how long did {asset} take to recover from its deepest drawdown',
    'how much could i lose with {asset} on a really bad day',
    '99% var of {asset}',
    'cvar of {weights}',
    'basket of {weights} loss statistics',
    'worst case for holding {asset}',
    'how bad can it get over {windowHours} if i hold {weights}',
    'how did the worst drawdowns of {asset} look over {windowHours}',
    'most {asset} could drop in a day statistically',
  ],
  needs: { asset: 'Which asset or basket do you mean, for example "60 % BTC and 40 % ETH"?' },
  takes: ['weights', 'assets', 'tradeMarket', 'windowHours', 'period'],
  args: (slots) =>
    decidedArgs({
      weights: weightsOf(slots),
      trade_market: slots.tradeMarket,
      lookback_days: lookbackOf(slots),
    }),
  answer: ({ weights, horizons, drawdowns, worstDays, returns, notes }) => {
    const what = basketWords(weights);
    const day = horizons.find(({ days }) => days === 1);
    const [at95, at99] = day?.losses ?? [];
    return {
      lead: at95 ? lossSentence(what, at95) : `There is too little history to say how much ${what} can lose.`,
      figures: [
        ...(at99?.historical
          ? [`One day in a hundred loses ${writePercent(at99.historical.varPercent)} or more.`]
          : []),
        ...worstSentence(worstDays[0]),
        ...fallSentence(drawdowns[0]),
      ],
      caveat: `This rests on ${counted(returns, 'day')}${notes.length > 0 ? `; ${notes[0]}` : ''}. Past losses are no limit for the next one.`,
    };
  },
});

const basketWords = (weights: TailRisk['weights']): string => {
  const parts = weights.map(({ asset, weight }) => `${writePercent(weight * 100)} ${asset}`);
  if (parts.length === 0) return 'the basket';
  return parts.length === 1 ? weights[0].asset : `a basket of ${joined(parts)}`;
};

/** The days of history that the losses are taken from; a span of less than 90 days is that of a loss. */
function lookbackOf({ windowHours = 0 }: Slots): number | undefined {
  const days = Math.ceil(windowHours / 24);
  return days < 90 ? undefined : Math.min(1825, days);
}

/** Weights as they were given, else all named assets with the same weight. */
const weightsOf = ({ weights, assets, asset }: Slots): Record<string, number> | undefined => {
  if (weights) return { ...weights };
  const named = assets ?? (asset === undefined ? [] : [asset]);
  return named.length === 0 ? undefined : Object.fromEntries(named.map((each) => [each, 100 / named.length]));
};

function lossSentence(what: string, { historical, parametric }: HorizonLosses): string {
  if (!historical)
    return `Estimated from its volatility, ${what} loses ${writePercent(parametric.varPercent)} or more on one day in twenty.`;
  const { varPercent, cvarPercent, varLowPercent, varHighPercent } = historical;
  const range =
    varLowPercent === null || varHighPercent === null
      ? ', with too few such days for a range'
      : ` (the true figure lies between ${writePercent(varLowPercent)} and ${writePercent(varHighPercent)} with high confidence)`;
  return `On one day in twenty ${what} lost ${writePercent(varPercent)} or more${range}; such days lost ${writePercent(cvarPercent)} on average.`;
}

const worstSentence = (day: TailRisk['worstDays'][number] | undefined): string[] =>
  day ? [`The worst day was ${writeDate(day.time)}: ${signed(day.percent)}.`] : [];

function fallSentence(fall: TailRisk['drawdowns'][number] | undefined): string[] {
  if (!fall) return [];
  const { depthPercent, peak, recovery, days } = fall;
  const end =
    recovery === null
      ? `is not made up for after ${writeCount(days)} days`
      : `took ${counted(days, 'day')} to recover`;
  return [
    `The deepest fall, ${writePercent(Math.abs(depthPercent))} from the peak of ${writeDate(peak)}, ${end}.`,
  ];
}
