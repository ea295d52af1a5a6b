import { wordTable } from '../word-list.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import { usedSlots } from '../recognition/slot-fit.js';
import type { SlotName } from '../slots.js';
import { writtenSlot, type ReadQuestion } from './read-question.js';

/** The slot of each argument. */
const slotOf: Readonly<Record<string, SlotName>> = {
  ...wordTable('call-args', 'slotOf'),
  ...wordTable('limits', 'slotOf'),
};
/** What such an argument counts, where its name does not say it. */
const nounOf: Readonly<Record<string, string>> = wordTable('limits', 'nounOf');

/** The numbers beyond what the schema of the tool takes: "ten targets" of six, "a million paths". */
export function brokenLimits({ question, intent }: ReadQuestion): { value: number; note: string }[] {
  const used = usedSlots(intent);
  const properties = listingNamed(intent.tool ?? '')?.inputSchema.properties ?? {};
  return Object.entries(properties).flatMap(([name, schema]) => {
    const slot = slotOf[name];
    const given = slot !== undefined && used.has(slot) ? question.slots[slot] : undefined;
    const value = Array.isArray(given) ? given.length : given;
    if (typeof value !== 'number') return [];
    const [least, most] = [schema.minimum ?? schema.minItems, schema.maximum ?? schema.maxItems] as number[];
    // Too few assets are asked for.
    if (!((value < least && !Array.isArray(given)) || value > most)) return [];
    const [word, limit] = value < least ? ['least', least] : ['most', most];
    const noun = nounOf[name] ?? name.replaceAll('_', ' ');
    const said = Array.isArray(given) ? String(value) : writtenSlot(question, slot);
    return [{ value, note: `At ${word} ${limit} ${noun} can be asked for, not ${said}; with ${limit}:` }];
  });
}
