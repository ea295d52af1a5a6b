import Joi from 'joi';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import { trailingFaults, trailingTerms, type TrailingFields } from './command-values.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { missingField, wrongField, shortText, type SignalFault } from './signal-faults.js';
import { signalIdInput } from './signal-id.js';
import { percent, price } from './signal-values.js';

interface TakeProfitFields extends SignalIdField, TrailingFields {
  order_type: 'limit' | 'market';
  sell_price?: string;
  sell_amount_relative: string;
  symbol?: string;
}

const whole = '100';

/** Sells a part of the position at a price or at market, in place of the targets that are not reached. */
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
