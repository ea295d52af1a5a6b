import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { atMost, quoteArgs } from '../../market-args.js';
import { counted, inQuote, joined, signed, writeVolume } from '../../market-words.js';
import { writePrice } from '../../format.js';
import type { Slots } from '../../slots.js';

type Movers = Answered<'movers'>;

type Mover = Movers['rows'][number];

type Rank = NonNullable<Slots['rankBy']>;

/** So many assets read well. */
const mostNamed = 6;

/** The windows of the tool, the shortest first: their hours and their words. */
const windows = [
  { window: '1h', hours: 1, words: 'hour' },
  { window: '4h', hours: 4, words: 'four hours' },
  { window: '24h', hours: 24, words: 'day' },
  { window: '7d', hours: 168, words: 'week' },
  { window: '30d', hours: 720, words: 'month' },
] as const;

/** The shortest window that holds the span that was asked for, else the longest; a day where none was. */
const windowOf = ({ windowHours = 24 }: Slots) =>
  windows.find(({ hours }) => hours >= windowHours) ?? windows[windows.length - 1];

export const topMoversIntent = defineIntent<Movers>({
  name: 'top-movers',
  title: 'the assets that rose, fell or were traded most in an hour to a month',
  tool: 'get_top_movers',
  phrases: [
    'top gainers',
    'top losers',
    'top movers of the last {windowHours}',
    'what is pumping',
    'what is dumping',
    'biggest winners and losers',
    'which coins are up the most {windowHours}',
    'which coins are down the most today',
    'best performing coins this week',
    'worst performing coins of the market',
    'what rose most in the last {windowHours}',
    'what fell most in the last {windowHours}',
    'which coin gained the most',
    'which coin lost the most',
    'most traded coins',
    'top {count} coins by volume',
    'which assets have the highest volume today',
    'what is going up right now',
    'what crashed today',
    'show me the {count} hottest coins',
    'most active coins in the last {windowHours}',
    'biggest movers',
    'what has moved most since yesterday',
    'best performers over {windowHours}',
    'worst performers of {windowHours}',
    'which coins dropped hardest in the last {windowHours}',
    'which coins climbed the most',
    'which assets jumped today',
    'what tanked',
    'what soared in {windowHours}',
    'who fell the furthest',
    'most heavily traded coin',
    'which coins are flying',
    'biggest percentage change in {windowHours}',
    'winners of the last {windowHours}',
    'losers of the last {windowHours}',
    'which coins bled the most',
    'what got hammered in {windowHours}',
    'what got crushed today',
    'what ripped in the last {windowHours}',
    'what mooned today',
    'who is bleeding',
    'what went through the roof',
    'biggest drops in {windowHours}',
    'worst hit coins',
    'which coins got slaughtered',
    'what is on fire',
    'who is leading the pack',
    'who lost the most in {windowHours}',
    'what took a beating',
    'which coins sold off hardest',
    'which coins bounced the most',
    'where is the action today',
    'where is the volume today',
    'which coins are lagging',
    'biggest losers of {windowHours}',
    'biggest gainers of {windowHours}',
    'biggest losers',
    'which coins got smoked',
    'what pumped while i slept',
    'which coins got destroyed',
    'what did best and worst in {windowHours}',
    'which tokens run hot this week',
    'the worst {count} coins over {windowHours}',
    'the best {count} coins over {windowHours}',
    'worst five of the week',
    'which coins stand out on the upside',
    'volume leaders',
    'who is leading the market today',
    'gainers with a volume above {leastAmount}',
    'losers with more than {leastAmount} volume',
    'liquid gainers with at least {leastAmount} volume',
    'what is moving the most in {windowHours}',
    'biggest moves of {windowHours}',
    'what is dumping right now',
    'what is being traded the most',
    'which coins are traded most',
  ],
  needs: {},
  takes: ['rankBy', 'windowHours', 'count', 'tradeMarket', 'leastAmount', 'isToday', 'period', 'scanSort'],
  args: ({ rankBy, windowHours: hours, count, leastAmount, ...slots }) => ({
    ...(rankBy === undefined ? {} : { rank_by: rankBy }),
    ...(hours === undefined ? {} : { window: windowOf({ windowHours: hours }).window }),
    ...(count === undefined ? {} : { limit: atMost(50, count) }),
    ...(leastAmount === undefined ? {} : { min_quote_volume: leastAmount }),
    ...quoteArgs(slots),
  }),
  answer: (payload, slots) => answerMovers(payload, slots.rankBy ?? 'gain', windowOf(slots).words),
});

function answerMovers(payload: Movers, rankBy: Rank, span: string) {
  const { rows, ranked, assets, tradeMarket, skipped, stale } = payload;
  const [first, ...others] = rows.slice(0, mostNamed);
  if (!first) return { lead: noneWords(rankBy, assets, span) };
  return {
    lead: firstWords(first, rankBy, span, tradeMarket),
    figures: [
      ...(others.length > 0 ? [`Then come ${joined(others.map((each) => moverWords(each, rankBy)))}.`] : []),
      ...(rankBy === 'volume'
        ? []
        : [`${ranked} of ${counted(assets, 'asset')} ${rankBy === 'gain' ? 'rose' : 'fell'} in that time.`]),
    ],
    ...caveatOf(skipped, stale),
  };
}

const noneWords = (rankBy: Rank, assets: number, span: string): string =>
  `None of ${counted(assets, 'asset')} ${{ gain: 'rose', loss: 'fell', volume: 'was traded' }[rankBy]} in the last ${span}.`;

function firstWords(first: Mover, rankBy: Rank, span: string, tradeMarket: string): string {
  const { asset, price, changePercent, quoteVolume } = first;
  const change = changePercent === null ? '' : ` (${signed(changePercent)})`;
  if (rankBy === 'volume')
    return `${asset} was traded most in the last ${span}: for ${writeVolume(quoteVolume)} ${tradeMarket}, at a price of ${writePrice(price)} now${change}.`;
  return `${asset} ${rankBy === 'gain' ? 'gained' : 'lost'} most in the last ${span}${changePercent === null ? '' : `: ${signed(changePercent)}`}, to ${inQuote(price, tradeMarket)}.`;
}

const moverWords = ({ asset, changePercent, quoteVolume }: Mover, rankBy: Rank): string =>
  rankBy === 'volume'
    ? `${asset} (${writeVolume(quoteVolume)})`
    : `${asset} (${changePercent === null ? 'change unknown' : signed(changePercent)})`;

function caveatOf(skipped: number, stale: number): { caveat?: string } {
  if (stale > 0)
    return {
      caveat: `${counted(stale, 'asset')} without the newest candle ${stale === 1 ? 'is' : 'are'} left out.`,
    };
  return skipped > 0
    ? {
        caveat: `${counted(skipped, 'asset')} ${skipped === 1 ? 'is' : 'are'} too new for a change over that time.`,
      }
    : {};
}
