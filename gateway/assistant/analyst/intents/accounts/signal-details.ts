import type { getFollowedSignal } from '../../../../operations/signals/get-followed-signal.js';
import { decidedArgs } from '../../decided-args.js';
import { writeDate, writeMoment, writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { firstOf } from '../../market-words.js';
import { oneLine } from '../../one-line.js';
import type { OutputOf } from '../../output-of.js';
import { profitWords } from '../../outcome-words.js';

type FollowedSignal = OutputOf<typeof getFollowedSignal>;

const mostSteps = 4;

export const signalDetailsIntent = defineIntent<FollowedSignal>({
  name: 'signal-details',
  title: 'one of your signals in full: what the partner changed, your fills and result',
  tool: 'get_signal_details',
  phrases: [
    'details of signal {id}',
    'what happened to signal {id}',
    'did the stop of signal {id} move',
    'tell me more about a signal',
    'timeline of signal {id}',
    'my result of signal {id}',
    'which targets did signal {id} reach',
    'why was signal {id} skipped',
    'history of signal {id}',
    'what did the partner change on signal {id}',
    'slippage of signal {id}',
    'signal {id} in full',
    'walk me through signal {id}',
    'how did signal {id} go',
    'did signal {id} hit its target',
    'show signal {id}',
    'why did i not get into signal {id}',
    'what became of signal {id}',
    'was signal {id} changed',
    'how much did i make on signal {id}',
    'status of signal {id}',
    'was signal {id} stopped out',
    'entry and targets of signal {id}',
    'current r of signal {id}',
    'all updates the partner sent for signal {id}',
    'did my fills match the prices of signal {id}',
    'which take profits did signal {id} hit',
    'has the stop of signal {id} been moved',
    'everything that happened to signal {id}',
    'details for a signal',
  ],
  needs: { id: 'What is the id of the signal? Your list of signals shows it.' },
  takes: [],
  args: ({ id }) => decidedArgs({ parent_signal_id: id }),
  answer: (payload) => {
    const { side, asset, exchange, status, reason, deliveredAt, history } = payload;
    return {
      lead: `The ${side} signal in ${asset} on ${exchange} of ${writeDate(deliveredAt)} is ${status.replaceAll('_', ' ')}${reason === null ? '' : ` (${oneLine(reason)})`}; ${resultWords(payload)}.`,
      figures: [
        levelWords(payload),
        ...(history.length > 1
          ? [`Said by the partner: ${history.slice(-mostSteps).map(stepWords).join('; ')}.`]
          : []),
        ...slippageWords(payload.result),
      ],
      caveat: 'Words of the partner are repeated as they are.',
    };
  },
});

const resultWords = ({ result, tradeMarket }: FollowedSignal): string => {
  if (!result) return 'nothing was bought or sold for you';
  const r = result.r === null ? '' : `, ${writeNumber(result.r)} R`;
  const open =
    result.unrealised === null || result.unrealised === 0
      ? ''
      : ` and ${profitWords(result.unrealised, tradeMarket)} unrealised`;
  return `you made ${profitWords(result.profit, tradeMarket)}${open}${r}`;
};

const levelWords = ({ entries, targets, stopLoss, targetsHit }: FollowedSignal): string =>
  `Entry ${entries.length === 0 ? 'none' : entries.map(({ price }) => writePrice(price)).join(' and ')}, targets ${
    targets.length === 0
      ? 'none'
      : firstOf(
          targets.map((price) => writePrice(price)),
          6,
        )
  }, stop ${stopLoss === null ? 'none' : writePrice(stopLoss)}; targets reached: ${writeNumber(targetsHit)}.`;

const stepWords = ({ at, type, cause }: FollowedSignal['history'][number]): string =>
  `${type.replaceAll('_', ' ')} on ${writeMoment(at)}${cause === '' ? '' : ` ("${oneLine(cause)}")`}`;

const slippageWords = (result: FollowedSignal['result']): string[] => {
  const slip = result?.entrySlippagePercent ?? null;
  if (slip === null || slip === 0) return [];
  return [
    `You entered ${writePercent(Math.abs(slip))} ${slip > 0 ? 'worse' : 'better'} than the signal said.`,
  ];
};
