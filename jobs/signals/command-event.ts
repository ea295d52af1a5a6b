import { Decimal } from '../../compute/model/decimal.js';
import { quotientPlaces } from '../../compute/model/pair-rules.js';
import type { Execution, TrailingTerms } from '../../compute/signals/execution.js';
import type { CommandQuote, ExecutionEvent } from '../../compute/signals/execution-event.js';
import type { SignalCommandEvent, TrailingStopTerms } from '../../storage/signals/partner-signal.js';
import { readOrNull } from './trade-signal-of.js';

interface CommandFacts {
  execution: Execution;
  investPercent: Decimal;
  at: number;
  /** The price by which it is judged; null: the execution has seen none. */
  quote: CommandQuote | null;
}

/**
 * A stored command as an event of one execution. `investPercent`: the share of the quote balance that the execution invests
 * in its entries, in percent. The amount of a rebuy is proportional to it.
 */
export function commandEvent(
  command: SignalCommandEvent,
  { execution, investPercent, at, quote }: CommandFacts,
): ExecutionEvent {
  const when = quote ? { at, quote } : { at };
  switch (command.type) {
    case 'cancel':
      return { type: 'cancel', at };
    case 'trailing_stop':
      return { type: 'trailing_stop', stop: trailingTerms(command.stop), ...when };
    case 'take_profit': {
      const { type, id, orderType } = command;
      const [price, percent] = [readOrNull(command.price), Decimal.read(command.percent)];
      return { type, id, orderType, price, percent, stop: trailingOrNull(command.stop), ...when };
    }
    case 'rebuy': {
      const { type, id } = command;
      const [min, max] = [Decimal.read(command.min), Decimal.read(command.max)];
      const amount =
        command.investPercent === null
          ? execution.invested
          : execution.invested
              .times(Decimal.read(command.investPercent))
              .dividedBy(investPercent, quotientPlaces, 'floor');
      return { type, id, min, max, amount, stop: trailingOrNull(command.stop), ...when };
    }
    case 'dca': {
      const { type, id } = command;
      return {
        type,
        id,
        price: Decimal.read(command.price),
        multiplier: Decimal.read(command.multiplier),
        ...when,
      };
    }
    case 'update_prices':
      return { ...newPrices(command), type: 'update_prices', ...when };
  }
}

const trailingTerms = ({ trigger, limit }: TrailingStopTerms): TrailingTerms => ({
  trigger: Decimal.read(trigger),
  limit: Decimal.read(limit),
});

const trailingOrNull = (terms: TrailingStopTerms | null): TrailingTerms | null =>
  terms && trailingTerms(terms);

function newPrices({
  entries = {},
  targets = {},
  stopLoss,
}: Extract<SignalCommandEvent, { type: 'update_prices' }>) {
  return {
    entries: mapValues(entries, ({ price, zoneEnd }) => ({
      ...(price === undefined ? {} : { price: Decimal.read(price) }),
      ...(zoneEnd === undefined ? {} : { zoneEnd: readOrNull(zoneEnd) }),
    })),
    targets: mapValues(targets, (price) => Decimal.read(price)),
    ...(stopLoss === undefined ? {} : { stopLoss: Decimal.read(stopLoss) }),
  };
}

const mapValues = <From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
