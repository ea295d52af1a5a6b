import type { listFollowedSignals } from '../../../../operations/signals/list-followed-signals.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { firstOf, lengthInWords, sentence } from '../../market-words.js';
import { oneLine } from '../../one-line.js';
import type { OutputOf } from '../../output-of.js';
import { listedSignalStatus } from '../../listed-signal-status.js';

type SignalList = OutputOf<typeof listFollowedSignals>;

type SignalLine = SignalList['signals'][number];

const mostTold = 4;

export const signalsIntent = defineIntent<SignalList>({
  name: 'signals',
  title: 'the signals you received, and whether they were executed',
  tool: 'list_signals',
  phrases: [
    'my signals',
    'which signals are {status}',
    'signals that were skipped or rejected',
    'latest {count} signals i got',
    'any new signals',
    'closed signals',
    'which signals still wait for entry',
    'what did the channels send me',
    'signals of channel {channel}',
    'list the signals delivered to me',
    'did a signal come in today',
    'were my signals executed',
    'what have the people i follow sent lately',
    'signals i was sent',
    'which signals expired',
    'what calls did i get',
    'any new calls',
    'signals i received today',
    'what came in from my channels',
    'signals that never filled',
    'which of my signals got skipped',
    'open signals',
    'latest from {channel}',
    'did {channel} send something',
    'calls of {channel} this week',
    'which signals did not trigger',
    'show me what my providers posted',
    'signals that ran out before they filled',
    'anything new from the channels i follow',
    'did my channels send anything',
    'what did {channel} send me',
    'which of my signals are still running',
    'pending signals',
    'have i got any signals',
    'signals that wait',
    'what did i get from my channels',
    'did the last signal win',
    'what did {channel} send me this week',
    'which of my signals were {status} and why',
    'which signals were executed',
    'signals from {channel}',
    '{status} signals last {count}',
    'were any signals skipped',
    'what came in from {channel}',
    'which signals did i get that are still {status}',
    '{status} signals',
    'signals delivered to me',
    'show my signals',
    'list my latest signals',
    'cancelled signals last {count}',
    'cancelled signals',
  ],
  needs: {},
  takes: ['status', 'channel', 'count'],
  yields: ['signal-details'],
  args: ({ status, channel, count }) =>
    decidedArgs({ status: listedSignalStatus(status), channel, limit: count }),
  answer: ({ signals, nextCursor }, { status }) => {
    const kind = status === undefined ? '' : `${status.replaceAll('_', ' ')} `;
    const [newest, ...others] = signals;
    if (!newest) return { lead: `You have no ${kind}signals.` };
    const executed = signals.filter(({ isExecuted }) => isExecuted).length;
    return {
      lead: `Your newest ${kind}signal is ${signalWords(newest)}.`,
      figures: [
        planWords(newest),
        ...(others.length === 0 ? [] : [`Before that: ${firstOf(others.map(signalWords), mostTold - 1)}.`]),
        ...(others.length === 0
          ? []
          : [
              `${sentence(executed === 0 ? 'none' : lengthInWords(executed))} of those shown ${executed < 2 ? 'was' : 'were'} executed for you.`,
            ]),
      ],
      ...(nextCursor === null ? {} : { caveat: 'Older signals are left out here.' }),
    };
  },
});

const signalWords = ({ side, asset, exchange, status, reason, deliveredAt }: SignalLine): string =>
  `a ${side} in ${asset} on ${exchange} of ${writeDate(deliveredAt)} (${status.replaceAll('_', ' ')}${reason === null ? '' : `: ${oneLine(reason)}`})`;

const planWords = ({ entries, targets, stopLoss, targetsHit }: SignalLine): string =>
  `It enters ${entries.length === 0 ? 'at no price of its own' : `at ${entries.map(({ price }) => writePrice(price)).join(' and ')}`}, with ${
    targets.length === 0
      ? 'no target'
      : `targets at ${firstOf(
          targets.map((price) => writePrice(price)),
          3,
        )}`
  } and ${stopLoss === null ? 'no stop' : `a stop at ${writePrice(stopLoss)}`}; ${targetsHit === 0 ? 'no target is' : `${lengthInWords(targetsHit)} ${targetsHit === 1 ? 'is' : 'are'}`} reached.`;
