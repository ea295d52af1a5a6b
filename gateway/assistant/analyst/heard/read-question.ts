import { listingNamed } from '../../../mcp/catalogue.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';
import type { Slots } from '../slots.js';

/** A question with the call that answers it. */
export interface ReadQuestion {
  question: Question;
  intent: Intent;
  slots: Slots;
  args: Readonly<Record<string, unknown>>;
  /** The places of the words that name a figure of the answer. */
  figures?: ReadonlySet<number> | undefined;
  /** The exchanges that can be connected here. */
  exchanges?: readonly string[] | undefined;
}

/** The value that an argument has where it is not given. */
export const defaultOf = (tool: string, name: string): unknown =>
  listingNamed(tool)?.inputSchema.properties[name]?.default;

const ofPast = new Set(['last', 'past', 'this', 'previous', 'half', 'a', 'next']);

/** The words that a slot was read from. */
export function writtenSlot(question: Question, ...slots: string[]): string | undefined {
  const [first] = placesOf(question, ...slots);
  return first && writtenAt(question, first);
}

/** The words of a place, "last" before it included. */
export const writtenAt = (question: Question, [at, to]: readonly [from: number, to: number]): string =>
  question.written(ofPast.has(question.word(at - 1)) ? at - 1 : at, to);

/** Where something was read as one of the slots: the first token of each stretch, and the one behind it. */
export function placesOf(question: Question, ...slots: string[]): [from: number, to: number][] {
  const isOf = (at: number) => slots.includes(question.slotAt(at) ?? '');
  const starts = [...question.tokens.keys()].filter((at) => isOf(at) && !isOf(at - 1));
  return starts.map((from) => {
    let to = from + 1;
    while (isOf(to)) to++;
    return [from, to];
  });
}
