import Joi from 'joi';
import type { PartnerSignal, TrailingStopTerms } from '../../../storage/signals/partner-signal.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { missingField, wrongField, type SignalFault } from './signal-faults.js';
import { shortText } from '../../operation.js';
import { signalIdInput } from './signal-id.js';
import { percent, price } from './signal-values.js';
import { Decimal } from '../../../compute/model/decimal.js';

export interface TrailingFields {
  trailing_stop_price?: string | undefined;
  trailing_stop_limit_price?: string | undefined;
}

/** The trailing stop of two fields; null unless both are given. */
export const trailingTerms = ({
  trailing_stop_price: trigger,
  trailing_stop_limit_price: limit,
}: TrailingFields): TrailingStopTerms | null =>
  trigger === undefined || limit === undefined ? null : { trigger, limit };

/** The worst price of a trailing stop is not better than its trigger. */
export function trailingFaults(fields: TrailingFields, { terms: { side } }: PartnerSignal): SignalFault[] {
  const stop = trailingTerms(fields);
  if (!stop) return [];
  const order = Decimal.parse(stop.limit).compare(Decimal.parse(stop.trigger));
  if (side === 'long' ? order <= 0 : order >= 0) return [];
  const relation = side === 'long' ? 'at or below' : 'at or above';
  return [
    wrongField(
      'trailing_stop_limit_price',
      `must be ${relation} "trailing_stop_price" (${stop.trigger}), found "${stop.limit}"`,
    ),
  ];
}

/** Each of the two fields of a trailing stop needs the other. */
export const halfStopFaults = (fields: TrailingFields): SignalFault[] => {
  const names = ['trailing_stop_price', 'trailing_stop_limit_price'] as const;
  const missing = names.filter((name) => fields[name] === undefined);
  return missing.length === 1
    ? [missingField(missing[0], `is required with "${names.find((name) => name !== missing[0])!}"`)]
    : [];
};

/** A later purchase is at a worse price than the entry of the signal, so that it improves the average. */
export function beyondEntryFaults(field: string, price: string, { terms }: PartnerSignal): SignalFault[] {
  const [{ price: entry }] = terms.entries;
  const order = Decimal.parse(price).compare(Decimal.parse(entry));
  if (terms.side === 'long' ? order < 0 : order > 0) return [];
  const relation = terms.side === 'long' ? 'below' : 'above';
  return [
    wrongField(field, `must be ${relation} the entry price of the signal (${entry}), found "${price}"`),
  ];
}

interface TakeProfitFields extends SignalIdField, TrailingFields {
  order_type: 'limit' | 'market';
  sell_price?: string;
  sell_amount_relative: string;
  symbol?: string;
}

const whole = '100';

export const addTakeProfit = defineSignalCommand<TakeProfitFields>({
  id: 'add-take-profit',
  summary: 'Sells a part of the position, in place of the targets that are not reached.',
  input: Joi.object<TakeProfitFields>({
    parent_signal_id: signalIdInput,
    order_type: Joi.string().valid('limit', 'market').required().description('at sell_price, or at once'),
    sell_price: price('required for a limit order').example('125'),
    sell_amount_relative: percent('percent of the position, 1 to 100', 1).required().example(100),
    symbol: Joi.string().max(40).description('pair of the signal, as in BTC/USDT or BTCUSDT'),
    trailing_stop_price: price('trailing stop of what is left; required below 100 percent').example('105'),
    trailing_stop_limit_price: price('worst price of that stop; required below 100 percent').example('104'),
  }),
  faults: (fields, signal) => [
    ...conditionFaults(fields),
    ...symbolFaults(fields, signal),
    ...trailingFaults(fields, signal),
  ],
  effect(fields, _signal, number) {
    const { order_type: orderType, sell_price: at = null, sell_amount_relative: part } = fields;
    const isLimit = orderType === 'limit';
    return {
      event: {
        type: 'take_profit',
        id: `take-profit-${number}`,
        orderType,
        price: isLimit ? at : null,
        percent: part,
        stop: part === whole ? null : trailingTerms(fields),
      },
      cause: `the partner takes profit with ${part} % of the position ${isLimit ? `at ${at}` : 'at market'}`,
    };
  },
});

/** A limit order needs its price, and what is left after a sale of less than all needs a trailing stop. */
function conditionFaults(fields: TakeProfitFields): SignalFault[] {
  const stops = ['trailing_stop_price', 'trailing_stop_limit_price'] as const;
  return [
    ...(fields.order_type === 'limit' && fields.sell_price === undefined
      ? [missingField('sell_price', 'is required for a limit order')]
      : []),
    ...stops
      .filter((name) => fields.sell_amount_relative !== whole && fields[name] === undefined)
      .map((name) => missingField(name, 'is required when less than 100 percent are sold')),
  ];
}

function symbolFaults(
  { symbol }: TakeProfitFields,
  { terms: { coin, quote } }: PartnerSignal,
): SignalFault[] {
  const known = ['/', '', '-', '_'].map((between) => coin + between + quote);
  if (symbol === undefined || known.includes(symbol)) return [];
  return [wrongField('symbol', `must be the pair of the signal, "${known[0]}", found ${shortText(symbol)}`)];
}
