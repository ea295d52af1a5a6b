import Joi from 'joi';
import type {
  PartnerSignal,
  SignalCommandEvent,
  SignalTerms,
} from '../../../storage/signals/partner-signal.js';
import { mostTargets } from './create-fields.js';
import { defineSignalCommand, type SignalIdField } from './define-signal-command.js';
import { draftFaults } from './draft-faults.js';
import { farFaults, presentPrice } from './market-faults.js';
import { presentTerms } from './signal-view.js';
import { draftOf, fieldNames, termsOf, type SignalDraft } from './signal-draft.js';
import { missingField, wrongField, type SignalFault } from './signal-faults.js';
import { signalIdInput } from './signal-id.js';
import { price } from './signal-values.js';

type PriceFields = Record<string, string>;
type UpdateFields = SignalIdField & { [name: string]: string | boolean | undefined; confirm_price?: boolean };

const levels = ['min', 'mid', 'max'] as const;

const priceNames = {
  1: ['buy_price_min', 'buy_price_max', ...targetNames(1), 'stop_loss'],
  2: ['entry_price_min', 'entry_price_mid', 'entry_price_max', ...targetNames(2), 'stop_loss'],
} as const;

function targetNames(version: 1 | 2): string[] {
  return Array.from({ length: mostTargets[version] }, (_, index) => fieldNames[version].target(index + 1));
}

const allNames = [...new Set([...priceNames[1], ...priceNames[2]])];

export const updatePrices = defineSignalCommand<UpdateFields>({
  id: 'update-prices',
  summary: 'Changes prices of the signal, under the names with which it was created; the others stay.',
  input: Joi.object({
    parent_signal_id: signalIdInput,
    confirm_price: Joi.boolean().description(
      'whether an entry price is meant that is more than 5 % worse than the market, or whose market has no known price',
    ),
    ...Object.fromEntries(allNames.map((name) => [name, price(`new ${name}`).example(examples(name))])),
  }),
  async faults(fields, signal, deps, caller) {
    const { version } = signal.terms;
    const given = Object.keys(pricesOf(fields));
    if (given.length === 0)
      return [missingField(priceNames[version][0], 'or another price of the signal is required')];
    const unknown = given.filter((name) => !priceNames[version].includes(name));
    if (unknown.length > 0)
      return unknown.map((name) => wrongField(name, `is not a price of a signal of version ${version}`));
    const present = presentTerms(signal);
    const absent = absentFaults(present, pricesOf(fields));
    if (absent.length > 0) return absent;
    const draft = updated(present, pricesOf(fields));
    const legs = present.entries.map((_, index) => `entry-${index + 1}`);
    const bought = await deps.storage.executionReads.filledLegs(signal.id, legs);
    const faults = draftFaults(draft, bought.length > 0 ? 'bought' : 'followed');
    const change = changesOf(present, termsOf(draft));
    if (faults.length > 0 || change?.type !== 'update_prices' || !change.entries) return faults;
    const filled = bought.filter((leg) => leg in change.entries!).map((leg) => filledFault(signal, leg));
    if (filled.length > 0) return filled;
    // What is meant needs no price: a real exchange would be asked for it.
    if (fields.confirm_price === true) return [];
    return farFaults(draft, await presentPrice(present, deps, caller));
  },
  effect(fields, signal) {
    const present = presentTerms(signal);
    const event = changesOf(present, termsOf(updated(present, pricesOf(fields))));
    const words = Object.entries(pricesOf(fields)).map(([name, value]) => `${name} ${value}`);
    return event && { event, cause: `the partner changes prices: ${words.join(', ')}` };
  },
});

/** An entry that was bought for some subscriber: its price is known, and no command changes it. */
function filledFault({ terms }: PartnerSignal, leg: string): SignalFault {
  const { level } = terms.entries[Number(leg.replace('entry-', '')) - 1];
  return wrongField(fieldNames[terms.version].entry[level], 'cannot change: this entry was bought already');
}

/** Which examples the documentation shows: one price of each kind. */
function examples(name: string): string {
  return name.startsWith('stop') ? '85' : '125';
}

function pricesOf(fields: UpdateFields): PriceFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => allNames.includes(name)),
  ) as PriceFields;
}

/** Prices of targets and split entries that the signal does not have. */
function absentFaults(terms: SignalTerms, prices: PriceFields): SignalFault[] {
  const { target, entry } = fieldNames[terms.version];
  const count = terms.targets.length;
  const targets = Object.keys(prices).filter((name) => targetNames(terms.version).indexOf(name) >= count);
  const known = entriesAllowed(terms);
  const entries = levels.filter((level) => prices[entry[level]] !== undefined && !known.includes(level));
  return [
    ...targets.map((name) =>
      wrongField(name, `is no target of the signal, which has up to "${target(count)}"`),
    ),
    ...entries.map((level) => wrongField(entry[level], 'is no entry price of the signal')),
  ];
}

/** A range takes both ends; a split entry those between which it is split; an entry at market its one price. */
function entriesAllowed({ entryMode, entries }: SignalTerms): readonly string[] {
  return entryMode === 'range' ? ['min', 'max'] : entries.map(({ level }) => level);
}

function updated(terms: SignalTerms, prices: PriceFields): SignalDraft {
  const draft = draftOf(terms);
  const { entry, target, stopLoss } = fieldNames[terms.version];
  const changed = levels.flatMap((level) =>
    prices[entry[level]] === undefined ? [] : [[level, prices[entry[level]]]],
  );
  return {
    ...draft,
    prices: { ...draft.prices, ...(Object.fromEntries(changed) as SignalDraft['prices']) },
    targets: draft.targets.map((before, index) => prices[target(index + 1)] ?? before),
    stopLoss: prices[stopLoss] ?? draft.stopLoss,
  };
}

/** What differs between two versions of the terms of a signal; null if nothing does. */
function changesOf(before: SignalTerms, after: SignalTerms): SignalCommandEvent | null {
  const entries = after.entries.flatMap(({ price: at, zoneEnd }, index) => {
    const old = before.entries[index];
    const changes = {
      ...(at === old.price ? {} : { price: at }),
      ...(zoneEnd === old.zoneEnd ? {} : { zoneEnd }),
    };
    return Object.keys(changes).length > 0 ? [[`entry-${index + 1}`, changes] as const] : [];
  });
  const targets = after.targets.flatMap((at, index) =>
    at === before.targets[index] ? [] : [[`target-${index + 1}`, at] as const],
  );
  const stopLoss = after.stopLoss === before.stopLoss ? null : after.stopLoss;
  if (entries.length + targets.length === 0 && stopLoss === null) return null;
  return {
    type: 'update_prices',
    ...(entries.length > 0 ? { entries: Object.fromEntries(entries) } : {}),
    ...(targets.length > 0 ? { targets: Object.fromEntries(targets) } : {}),
    ...(stopLoss === null ? {} : { stopLoss }),
  };
}
