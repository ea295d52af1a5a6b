import { wordTable } from '../word-list.js';
import type { Intent } from '../intent.js';
import type { SlotName, Slots } from '../slots.js';

/** By slot: how much the score of an intent falls if the question names the slot and the intent does not use it. */
const unused: Partial<Record<SlotName, number>> = wordTable('slot-fit', 'unused');

const needed = 0.04;
/** The share of that weight which raises the score of an intent that does use the slot. */
const telling = 0.4;

/** By slot: how much the score of an intent falls if it needs the slot and neither question nor conversation has it. */
const missed: Partial<Record<SlotName, number>> = wordTable('slot-fit', 'missed');

/** By slot: how much the score of an intent rises if it needs the slot and the conversation has it: a backtest that ran. */
const kept: Partial<Record<SlotName, number>> = { backtestId: 0.25 };

/** How well an intent fits the slots of a question and of the conversation before it: a factor around 1 on its score. */
export function slotFit(intent: Intent, slots: Slots, before: Slots): number {
  const used = usedSlots(intent);
  let fit = 1;
  for (const slot of Object.keys(slots) as SlotName[]) {
    // "Supertrend" is a strategy and an indicator.
    if (slot === 'strategy' && slots.indicator !== undefined && used.has('indicator')) continue;
    if (!used.has(slot)) fit *= 1 - (unused[slot] ?? 0);
    else if (slot !== 'asset')
      fit *= 1 + Math.max(slot in intent.needs ? needed : 0, telling * (unused[slot] ?? 0));
  }
  const isWhole = intent.whole !== undefined && slots[intent.whole] !== undefined;
  for (const slot of Object.keys(intent.needs) as SlotName[])
    if (slots[slot] === undefined && !isWhole)
      fit *= before[slot] === undefined ? 1 - (missed[slot] ?? 0.02) : 1 + (kept[slot] ?? 0);
  const count = slots.assets?.length ?? 0;
  const [least, most] = intent.assetCount ?? [0, Infinity];
  if (count > 0 && (count < least || count > most)) fit *= 0.75;
  if (count > 1 && !used.has('assets')) fit *= 0.9;
  if ((slots.strategies?.length ?? 0) > 1 && !used.has('strategies')) fit *= 0.7;
  if ('assets' in intent.needs && count > 1) fit *= 1 + needed;
  return fit;
}

const known = new WeakMap<Intent, Set<SlotName>>();

/** The slots that an intent needs, takes, or names in its phrases. */
export function usedSlots(intent: Intent): ReadonlySet<SlotName> {
  return known.get(intent) ?? collect(intent);
}

/** Lets an intent use the slots that were read from one of its phrases: "rsi divergence" names an indicator. */
export function noteSlots(intent: Intent, slots: readonly SlotName[]): void {
  const used = known.get(intent) ?? collect(intent);
  for (const slot of slots) used.add(slot);
}

function collect(intent: Intent): Set<SlotName> {
  const inPhrases = intent.phrases.flatMap((phrase) =>
    [...phrase.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot),
  );
  const used = new Set([...Object.keys(intent.needs), ...intent.takes, ...inPhrases] as SlotName[]);
  if (used.has('assets')) used.add('asset');
  known.set(intent, used);
  return used;
}
