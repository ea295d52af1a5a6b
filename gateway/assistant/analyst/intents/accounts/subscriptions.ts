import type { listSubscriptions } from '../../../../operations/signals/list-subscriptions.js';
import { writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, firstOf, lengthInWords, joined, sentence } from '../../market-words.js';
import { oneLine } from '../../one-line.js';
import type { OutputOf } from '../../output-of.js';
import { profitWords } from '../../outcome-words.js';
import { quotedName } from '../../quoted-name.js';

type Subscriptions = OutputOf<typeof listSubscriptions>;

type FollowedLine = Subscriptions['subscriptions'][number];

const mostTold = 4;

export const subscriptionsIntent = defineIntent<Subscriptions>({
  name: 'subscriptions',
  title: 'the channels you follow, how much they may invest, and your result in each',
  tool: 'list_channel_subscriptions',
  phrases: [
    'which channels do i follow',
    'my subscriptions',
    'how much do i invest per channel',
    'my result in each channel i subscribed to',
    'is auto-invest on',
    'who am i subscribed to',
    'channels i subscribed to',
    'settings of my channels',
    'which of my channels make money for me',
    'are any of my subscriptions paused',
    'limits of my subscriptions',
    'what do i allow the channels to invest',
    'list followed channels',
    'who do i follow',
    'which providers do i copy',
    'what am i copying',
    'how much goes into each signal',
    'do i auto trade anything',
    'which channels are paused',
    'how are my channels set up',
    'is auto invest active for {channel}',
    'am i subscribed to {channel}',
    'do i follow {channel}',
    'how much is invested per signal',
    'my copy settings',
    'how much is each channel allowed to invest',
    'allocation limits of my subscriptions',
    'what have i earned with each channel i follow',
    'who am i copying',
    'which providers am i subscribed to and what are my settings',
    'what did the channels i am subscribed to bring me',
    'auto invest settings',
    'channels i follow and how they are doing for me',
    'which signal channels am i following',
  ],
  needs: {},
  takes: [],
  yields: ['declined-action'],
  args: () => ({}),
  answer: ({ subscriptions, foreignOrders }) => {
    if (subscriptions.length === 0)
      return { lead: 'You follow no channel.', next: 'Ask which channels have the best track record.' };
    const investing = subscriptions.filter(({ autoInvest, isPaused }) => autoInvest && !isPaused);
    const paused = subscriptions.filter(({ isPaused }) => isPaused);
    return {
      lead: `You follow ${lengthInWords(subscriptions.length)} ${subscriptions.length === 1 ? 'channel' : 'channels'}, ${investing.length === subscriptions.length ? 'with orders placed for you' : `${lengthInWords(investing.length)} of them with orders placed for you`}: ${firstOf(subscriptions.map(followedWords), mostTold)}.`,
      figures: subscriptions.slice(0, mostTold).flatMap(resultWords),
      caveat: `${pauseWords(paused)}${foreignOrders.length === 0 ? 'Signals place orders only within these limits.' : `On these accounts ${lengthInWords(foreignOrders.length)} open ${foreignOrders.length === 1 ? 'order was' : 'orders were'} placed by no signal.`}`,
    };
  },
});

const nameOf = ({ channelName, channel }: FollowedLine): string => quotedName(channelName ?? channel);

const followedWords = (line: FollowedLine): string =>
  `${nameOf(line)} on ${line.exchange} (${line.autoInvest ? `up to ${writePercent(line.investPercent)} a signal, at most ${counted(line.maxOpenSignals, 'signal')} at once` : 'shown only'})`;

const resultWords = (line: FollowedLine): string[] => {
  const results = line.results ?? [];
  if (results.length === 0) return [];
  const told = results.map(
    ({ profit, tradeMarket, trades }) => `${profitWords(profit, tradeMarket)} in ${counted(trades, 'trade')}`,
  );
  return [`${sentence(nameOf(line))} brought you ${joined(told)}.`];
};

const pauseWords = (paused: readonly FollowedLine[]): string => {
  if (paused.length === 0) return '';
  const told = paused.map(
    (line) => `${nameOf(line)}${line.pauseReason === null ? '' : ` (${oneLine(line.pauseReason)})`}`,
  );
  return `Paused: ${firstOf(told, mostTold)}. `;
};
