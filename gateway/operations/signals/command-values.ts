import { Decimal } from '../../../compute/model/decimal.js';
import type { PartnerSignal, TrailingStopTerms } from '../../../storage/signals/partner-signal.js';
import { missingField, wrongField, type SignalFault } from './signal-faults.js';

/** The fields of a trailing stop. */
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
