import type { checkSignal } from '../../../../operations/signals/check-signal.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePercent, writePrice } from '../../format.js';
import { defineIntent, type Prose } from '../../intent.js';
import { counted, joined, sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { priceArg } from '../../price-arg.js';

type SignalCheck = OutputOf<typeof checkSignal>;

/** More faults than these are not read out. */
const mostFaults = 4;

export const validateSignalIntent = defineIntent<SignalCheck>({
  name: 'validate-signal',
  title: 'whether a signal would be accepted, and what it risks',
  tool: 'validate_signal',
  phrases: [
    'validate this signal: {side} {asset} on {exchange}, {percent}, entry {entry}, target {target}, stop {stop}',
    'check my signal before i send it',
    'is this signal valid: {asset} entry {entry} target {target} stop {stop}',
    'dry run a signal for {asset} on {exchange}',
    'would my signal be accepted',
    'test a signal without sending it',
    'are there mistakes in my signal for {asset}',
    'check a signal {side} {asset} {entry} {target} {stop}',
    'verify signal fields for {asset} on {exchange}',
    'is my {side} signal on {asset} correct',
    'preview a signal with {percent} invested',
    'signal check',
    'would this signal go through',
    'would you accept this signal',
    'does this signal look right',
    'anything wrong with this signal',
    'can i send this signal',
    'is the format of my signal ok',
    'would {exchange} take this signal',
    'proofread my signal',
    'try out this signal without posting',
    'does this pass: {side} {asset} on {exchange} entry {entry} target {target}',
    'is this a proper signal',
    'is this signal valid {signal}',
    'would this signal go through {signal}',
    'check this {signal}',
    '{signal}',
    'dry run of this {version} body {signal}',
    'would this {version} signal body be accepted {signal}',
    'validate a {version} signal {side} {asset} on {exchange}',
    'are there errors in my signal body {signal}',
    'check {signal} before i post it',
    'check my signal',
    'is this signal ok {signal}',
  ],
  needs: {
    asset: 'Which asset is the signal for?',
    exchange: 'On which exchange?',
    percent: 'How many percent does it invest?',
    entry: 'What is the entry price?',
    target: 'What is the first target?',
  },
  whole: 'signal',
  takes: ['version', 'signal', 'side', 'stop', 'leverage', 'account', 'tradeMarket'],
  args: ({
    signal,
    asset,
    tradeMarket,
    exchange,
    percent,
    side,
    entry,
    target,
    stop,
    leverage,
    account,
    version,
  }) => ({
    ...(version === undefined ? {} : { version }),
    signal:
      signal ??
      decidedArgs({
        coin: asset,
        trade_market: tradeMarket ?? 'USDT',
        exchange,
        invest: percent,
        type: side,
        entry_price_max: priceArg(entry),
        exit_price_1: priceArg(target),
        stop_loss: priceArg(stop),
        leverage,
        account: account ?? (leverage !== undefined && leverage > 1 ? 'FUTURES' : undefined),
      }),
  }),
  answer: ({ valid, faults, outlook }) => {
    if (!valid || !outlook) return faultProse(faults);
    const [first] = outlook.targets;
    return {
      lead: `The signal is valid; nothing was created.`,
      figures: [
        ...(first
          ? [
              `Its first target at ${writePrice(first.price)} gains ${writePercent(first.percent)}${first.r === null ? '' : `, ${writeNumber(first.r)} R`}.`,
            ]
          : []),
        ...(outlook.risk_percent === null
          ? []
          : [`The stop is ${writePercent(outlook.risk_percent)} from the entry.`]),
        ...(outlook.liquidation_price === null || outlook.warnings.some((each) => each.includes('liquidated'))
          ? []
          : [`It is liquidated at ${writePrice(outlook.liquidation_price)}.`]),
      ],
      caveat:
        outlook.warnings.length === 0
          ? 'Subscribers enter at their own prices, so their results differ.'
          : `${sentence(outlook.warnings.join('; '))}.`,
    };
  },
});

function faultProse(faults: SignalCheck['faults']): Prose {
  if (faults.length === 0) return { lead: 'The signal would be refused.' };
  const told = faults.slice(0, mostFaults).map(({ field, message }) => faultWords(field, message));
  return {
    lead: `The signal would be refused: it has ${counted(faults.length, 'fault')}.`,
    figures: [`${sentence(joined(told))}.`],
    ...(faults.length > mostFaults ? { caveat: 'More faults are left out here.' } : {}),
  };
}

/** Messages begin with the name of the field in quotes. */
const faultWords = (field: string, message: string): string =>
  message.includes(field) ? message.replaceAll('"', '') : `${field} ${message}`;
