import type { Intent } from '../intent.js';
import type { SlotName, Slots } from '../slots.js';

/** How much it speaks against an intent that it has no use for a slot that the question names. Others speak little. */
const unused: Partial<Record<SlotName, number>> = {
  conditions: 0.3,
  weights: 0.15,
  every: 0.1,
  id: 0.25,
  entry: 0.1,
  stop: 0.12,
  target: 0.12,
  strategy: 0.15,
  strategies: 0.15,
  params: 0.15,
  indicator: 0.08,
  asset: 0.12,
  amount: 0.06,
  percent: 0.04,
  leverage: 0.05,
  exchange: 0.08,
  channel: 0.15,
  changes: 0.1,
  term: 0.1,
  period: 0.04,
  interval: 0.03,
  date: 0.03,
  count: 0.02,
  by: 0.02,
};

const needed = 0.04;

/** What the slots of a question say for and against an intent: a factor around 1. */
export function slotFit(intent: Intent, slots: Slots): number {
  const used = usedSlots(intent);
  let fit = 1;
  for (const slot of Object.keys(slots) as SlotName[]) {
    if (!used.has(slot)) fit *= 1 - (unused[slot] ?? 0);
    else if (slot in intent.needs && slot !== 'asset') fit *= 1 + needed;
  }
  if (slots.assets !== undefined && slots.assets.length > 1 && !used.has('assets')) fit *= 0.9;
  if ('assets' in intent.needs && (slots.assets?.length ?? 0) > 1) fit *= 1 + needed;
  return fit;
}

const known = new WeakMap<Intent, ReadonlySet<SlotName>>();

/** The slots that an intent needs, takes, or names in its phrases. */
export function usedSlots(intent: Intent): ReadonlySet<SlotName> {
  const found = known.get(intent);
  if (found) return found;
  const inPhrases = intent.phrases.flatMap((phrase) =>
    [...phrase.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot),
  );
  const used = new Set([...Object.keys(intent.needs), ...intent.takes, ...inPhrases] as SlotName[]);
  if (used.has('asset') || used.has('assets'))
    for (const each of ['asset', 'assets'] as const)
      if (each === 'asset' || intent.takes.includes('assets')) used.add(each);
  known.set(intent, used);
  return used;
}
