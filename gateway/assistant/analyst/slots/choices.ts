import { wordSet } from '../word-list.js';
import { dataFile } from '../data-file.js';
import type { SlotName } from '../slots.js';
import type { Question } from './question.js';
import { termOf } from '../vocabulary/words.js';

/** Words that choose one of the few values of an argument, by slot and value. They stay words, too: they say what is asked. */
const choices = dataFile<Record<string, Record<string, string>>>('choice-words');

interface Choice {
  slot: SlotName;
  words: string;
  length: number;
  value: string;
}

const table: readonly Choice[] = Object.entries(choices).flatMap(([slot, values]) =>
  Object.entries(values).flatMap(([value, all]) =>
    all
      .split(' | ')
      .map((words) => ({ slot: slot as SlotName, words, length: words.split(' ').length, value })),
  ),
);

const byFirstWord = new Map<string, Choice[]>();
for (const each of table) {
  const [first] = each.words.split(' ');
  byFirstWord.set(
    first,
    [...(byFirstWord.get(first) ?? []), each].sort((a, b) => b.length - a.length),
  );
}

/** Words of these slots choose nothing: "cross" in "EMA cross", "hour" in "the last hour". */
const closed = wordSet<SlotName>('choices', 'closed');

/** Slots whose words count in all their forms. */
const stemmed = new Set<SlotName>(['rankBy', 'riskStyle']);

/** Reads the values of arguments with few choices. The first that is named counts; words of a longer choice are one. */
export function readChoices(question: Question): void {
  let end = 0;
  question.tokens.forEach((_, at) => {
    if (at < end || isClosed(question, at)) return;
    for (const { slot, words, length, value } of byFirstWord.get(question.word(at)) ?? ofStem(question, at)) {
      if (question.phrase(at, length) !== words) continue;
      if (length > 1) end = at + length;
      // "... out of sample, ranked by excess return": what is ranked by counts before what is named.
      const isRanking = question.word(at - 1) === 'by' && (slot.endsWith('Rank') || slot === 'by');
      if (question.slots[slot] !== undefined && !isRanking) continue;
      Object.assign(question.slots, { [slot]: value });
      question.noteChoice(slot, at, at + length);
      if (length > 1) return;
    }
  });
}

/** "Dumps" for "dump". */
const ofStem = (question: Question, at: number): readonly Choice[] =>
  byStem.get(termOf(question.word(at))) ?? [];
const byStem = new Map(
  table.flatMap((each): [string, Choice[]][] =>
    each.length === 1 && stemmed.has(each.slot) ? [[termOf(each.words), [each]]] : [],
  ),
);

/** "Hourly" says how the chart is, and what a season is by; "4 hour" only the first. */
function isClosed(question: Question, at: number): boolean {
  const slot = question.slotAt(at);
  if (slot === 'interval') return !question.word(at).endsWith('ly');
  return slot !== undefined && closed.has(slot as SlotName);
}

/** The words of all choices, for the vocabulary. */
export const choiceWords: readonly string[] = table.flatMap(({ words }) => words.split(' '));
