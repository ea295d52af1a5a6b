import type { Answered } from '../../answered.js';
import { defineIntent } from '../../intent.js';
import { atMost, marketArgs, withinArgs } from '../../market-args.js';
import { counted, joined, ofCandle, signed } from '../../market-words.js';

type Flips = Answered<'recent-flips'>;

const mostNamed = 6;

export const recentFlipsIntent = defineIntent<Flips>({
  name: 'recent-flips',
  title: 'which assets changed their trend state lately',
  tool: 'scan_recent_flips',
  phrases: [
    'which coins flipped recently',
    'what flipped today',
    'recent flips on {interval}',
    'which assets changed state in the last {windowHours}',
    'what just turned to {state}',
    'new {state} coins',
    'which coins turned to {state} lately',
    'any fresh flips',
    'latest state changes in the market',
    'who flipped to {state} on {interval}',
    'show me assets that have just entered {state}',
    'state changes this week',
    'anything new in {state}',
    'what changed state over the past {candles} candles',
    'which coins changed colour lately',
    'who has just flipped',
    'what coins went into {state} today',
    'which coins entered {state} in the last {windowHours}',
    'which assets left {state}',
    'recently flipped coins',
    'did anything switch to {state}',
    'who changed sides today',
    'fresh trend changes',
    'which coins just went {state}',
    'coins that stopped being {state}',
    'did any coin turn {state} today',
    'newly {state} coins',
    'did anything flip overnight',
    'which coins changed direction',
    'who dropped out of {state}',
    'which trends broke lately',
    'which coins turned the corner',
    'what joined {state}',
    'what just went into {state}',
    'what turned {state} this week',
    'any flips in the last hours',
    'what flipped in the last {candles} candles',
    'show me the {count} most recent flips',
    'recent trend changes across the market',
    'coins that changed state this week',
    'who just went {state}',
    'newest flips on {interval}',
    'fresh {state} signals across the market',
    'flips of the last {windowHours}',
    'which coins newly entered {state}',
    'anything that flipped to {state} within {candles} candles',
    'which assets changed trend in {windowHours}',
    'list the latest flips in the market',
    'which flipped recently',
    'which ones flipped recently',
    'fresh flips on {interval} last {candles} candles',
  ],
  needs: {},
  takes: ['state', 'interval', 'tradeMarket', 'count', 'candles', 'windowHours', 'period', 'isToday', 'date'],
  args: ({ state, count, candles, windowHours, ...slots }) => ({
    ...marketArgs(slots),
    ...(state === undefined ? {} : { to_state: state }),
    ...withinArgs(100, { candles, windowHours, interval: slots.interval }),
    ...(count === undefined ? {} : { limit: atMost(100, count) }),
  }),
  answer: ({ interval, found, assets, rows, stale }, { state }) => {
    const to = state === undefined ? '' : ` to ${state}`;
    if (rows.length === 0)
      return { lead: `None of ${counted(assets, 'asset')} has turned${to} on ${interval} lately.` };
    const [latest, ...others] = rows.slice(0, mostNamed);
    const rest = rows.length > mostNamed ? [...others.map(flipWords), 'others'] : others.map(flipWords);
    return {
      lead: `${found} of ${counted(assets, 'asset')} turned${to} on ${interval} lately, ${latest.asset} last: from ${latest.from} to ${latest.to} with the candle of ${ofCandle(latest.time, interval)}.`,
      figures: rest.length > 0 ? [`Before it: ${joined(rest)}.`] : [],
      ...(stale > 0
        ? {
            caveat: `${counted(stale, 'asset')} without the newest candle ${stale === 1 ? 'is' : 'are'} left out.`,
          }
        : {}),
    };
  },
});

const flipWords = ({ asset, to, changePercent }: Flips['rows'][number]): string =>
  `${asset} to ${to} (${signed(changePercent)} since)`;
