import type { channelPerformance } from '../../../../operations/signals/channel-performance.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { periodWords } from '../../outcome-words.js';
import { quotedName } from '../../quoted-name.js';

type ChannelRanking = OutputOf<typeof channelPerformance>;

type ChannelLine = ChannelRanking['channels'][number];

const mostTold = 4;

export const channelPerformanceIntent = defineIntent<ChannelRanking>({
  name: 'channel-performance',
  title: 'the track records of signal channels',
  topic: 'records of channels',
  tool: 'get_channel_performance',
  phrases: [
    'which signal channels are the best',
    'track record of the channels',
    'rank the signal providers over {period}',
    'top {count} channels',
    'how good are the signals you deliver',
    'hit rate of partner channels',
    'performance of channel {channel}',
    'which channel has the highest expectancy',
    'how did {channel} do over {period}',
    'are the signal providers any good',
    'compare the channels',
    'which partner sends the best calls',
    'signal channel ranking',
    'how successful is {channel}',
    'who gives the best signals',
    'which caller is the most accurate',
    'worst channels by result',
    'do the calls of {channel} make money',
    'is {channel} any good',
    'is {channel} profitable',
    'results of {channel}',
    'how reliable is {channel}',
    'who has the best win rate among the channels',
    'which signal group delivers',
    'are the calls of {channel} worth it',
    'most profitable channel',
    'who posts the most profitable calls',
    'whose calls earn the most',
    'how good is {channel}',
    'win rate of {channel}',
    'best signal provider over {period}',
    'which provider loses money',
    'how much slippage do followers of the channels get',
    'rank providers with at least {leastCount} signals',
    'track record of {channel}',
    'which provider has the smallest drawdown',
    'how are the signal groups doing after fees',
    'hit rate of {channel} over {period}',
    'expectancy of the channels minimum {leastCount} signals',
    'top {count} channels over {period}',
    'are the partner channels any good',
    'best signal providers of the last {period}',
    'is it worth following {channel}',
    'how many signals of {channel} hit',
  ],
  needs: {},
  takes: ['channel', 'period', 'count', 'leastCount', 'windowHours'],
  args: ({ channel, period, count, leastCount }) =>
    decidedArgs({ channel, period, min_signals: leastCount, limit: count }),
  answer: ({ period, total, channels }) => {
    const [best, ...others] = channels;
    if (!best)
      return {
        lead: `No channel has enough signals over ${periodWords(period)} to be ranked.`,
        next: 'Name a channel to see its record in any case.',
      };
    const one = total === 1;
    return {
      lead: `${one ? 'The channel is' : `By expectancy the first of ${counted(total, 'channel')} over ${periodWords(period)} is`} ${quotedName(best.channel)}: ${recordWords(best)}.`,
      figures: [
        ...costWords(best),
        ...referenceWords(best),
        ...(others.length === 0
          ? []
          : [
              `Then ${others
                .slice(0, mostTold - 1)
                .map(shortWords)
                .join('; ')}.`,
            ]),
      ],
      caveat:
        best.traded < 30
          ? `With ${counted(best.traded, 'traded signal')} the record is short, and luck weighs heavily.`
          : 'Records are net of fees, count cancelled signals and leave paper out; your own fills may differ.',
    };
  },
});

const recordWords = ({ expectancyR, hitRatePercent, signals, traded }: ChannelLine): string =>
  expectancyR === null || hitRatePercent === null
    ? `${counted(signals, 'signal')}, none of which has a finished trade with money yet`
    : `${writeNumber(expectancyR)} R on average over ${counted(traded, 'traded signal')}, of which ${writePercent(hitRatePercent)} earned something`;

function costWords({ maxDrawdownR, medianSlippagePercent }: ChannelLine): string[] {
  const fall = maxDrawdownR === null ? [] : [`its deepest fall was ${writeNumber(maxDrawdownR)} R`];
  const slip =
    medianSlippagePercent === null
      ? []
      : [
          `followers entered ${writePercent(Math.abs(medianSlippagePercent))} ${medianSlippagePercent < 0 ? 'better' : 'worse'} than the signal in the median`,
        ];
  const text = [...fall, ...slip].join(', and ');
  return text === '' ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
}

const referenceWords = ({ reference: { expectancyR, traded } }: ChannelLine): string[] =>
  expectancyR === null
    ? []
    : [
        `By market prices alone its levels brought ${writeNumber(expectancyR)} R on average over ${counted(traded, 'signal')}.`,
      ];

const shortWords = ({ channel, expectancyR }: ChannelLine): string =>
  `${quotedName(channel)} (${expectancyR === null ? 'no finished trade with money' : `${writeNumber(expectancyR)} R`})`;
