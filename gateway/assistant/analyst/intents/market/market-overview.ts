import type { Answered } from '../../answered.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { marketArgs } from '../../market-args.js';
import { counted, joined, signed } from '../../market-words.js';

type Overview = Answered<'market-overview'>;

const mostNamed = 3;

export const marketOverviewIntent = defineIntent<Overview>({
  name: 'market-overview',
  title: 'the market as a whole: states, risers and fallers, strongest and weakest assets',
  tool: 'get_market_overview',
  phrases: [
    'how is the market',
    'market overview',
    'how is crypto doing today',
    'give me a market summary on {interval}',
    'is the market bullish or bearish',
    'what is the market doing',
    'overview of all coins',
    'how are things looking in general',
    'market sentiment right now',
    'state of the market',
    'strongest and weakest coins right now',
    'is it a good market',
    'morning briefing',
    'which coins are the strongest',
    'is crypto bullish overall',
    'what is happening in crypto',
    'how many coins go up and how many down',
    'what is going on in the market',
    'are most coins up or down',
    'general market trend',
    'how are altcoins doing',
    'mood of the market',
    'quick recap of crypto',
    'is the market rising or falling',
    'market today',
    'wrap up of the day',
    'what is up with crypto',
    'give me the lay of the land',
    'how are we looking today',
    'is everything red today',
    'is it a bloodbath',
    'is the market green',
    'what is the vibe in crypto',
    'catch me up on the market',
    'what did i miss in the market',
    'fill me in on crypto',
    'risk on or risk off',
    'is the market healthy',
    'are bulls or bears in charge',
    'temperature of the market',
    'where does the whole market stand',
    'quick market check',
    'brief me on the market',
    'overall are we up or down',
    'how is everything doing',
    'anything i should know about the market',
    'is crypto crashing',
    'is the market crashing',
    'are coins mostly red or green',
    'good day or bad day for crypto',
    'how is the mood today',
    'how are the majors doing',
    'are we in a bull market',
    'are we in a bear market',
    'how many coins are up versus down',
    'median rsi of the market',
    'median adx across the market',
    'which session are we in and how is the market',
    'strongest and weakest five',
    'is bitcoin dragging the market',
    'market snapshot',
    'the market in a nutshell',
    'how many coins are in each state',
    'advancers and decliners right now',
    'which coins are the weakest',
    'which five coins are weakest',
    'what are the strongest coins',
    'is crypto {state} today',
    'is the market {state} or {state}',
  ],
  needs: {},
  takes: ['interval', 'tradeMarket'],
  args: marketArgs,
  answer: (payload) => {
    const { interval, assets, states, advancers, decliners } = payload;
    return {
      lead: `On ${interval} the trend states of ${counted(assets, 'asset')} are: accumulate ${states.accumulate}, wait ${states.wait}, distribute ${states.distribute}.`,
      figures: [
        `${advancers} rose and ${decliners} fell with the last candle${medianWords(payload)}.`,
        ...endWords(payload),
      ],
      ...caveatOf(payload),
    };
  },
});

function medianWords({ btc, rsi, adx }: Overview): string {
  return [
    ...(btc ? [`; the trend of BTC is ${btc.marketTrend} by PSAR`] : []),
    ...(rsi.median === null ? [] : [`; the median RSI is ${writeNumber(rsi.median)}`]),
    ...(adx.median === null ? [] : [` and the median ADX ${writeNumber(adx.median)}`]),
  ].join('');
}

function endWords({ strongest, weakest }: Overview): string[] {
  const named = (all: Overview['strongest']) =>
    joined(
      all
        .filter(({ strengthPercent }) => strengthPercent !== null)
        .slice(0, mostNamed)
        .map(({ asset, strengthPercent }) => `${asset} (${signed(strengthPercent!)})`),
    );
  if (strongest.length === 0) return [];
  const weak = weakest.length === 0 ? '' : `; the weakest are ${named(weakest)}`;
  return [`Over the last twenty candles the strongest are ${named(strongest)}${weak}.`];
}

function caveatOf({ states, stale, dayOfWeek }: Overview): { caveat?: string } {
  if (stale > 0)
    return {
      caveat: `${counted(stale, 'asset')} without the newest candle ${stale === 1 ? 'is' : 'are'} left out.`,
    };
  if (states.none > 0)
    return {
      caveat: `${counted(states.none, 'asset')} ${states.none === 1 ? 'has' : 'have'} too little history for a state.`,
    };
  return dayOfWeek === 'Weekend' ? { caveat: 'It is the weekend, when less is traded.' } : {};
}
