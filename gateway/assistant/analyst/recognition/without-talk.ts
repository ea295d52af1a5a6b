import { dataFile } from '../data-file.js';
import { wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';
import type { MessageParts } from './message-parts.js';

/** Talk around a question; "*" stands for any one word. */
type Talk = Record<'phrases' | 'frames' | 'asides' | 'hearsay' | 'possessions', string>;

const lists = dataFile<Talk>('talk');
/** The phrases by their first word, the longest first. */
function byFirstWord(list: string): ReadonlyMap<string, readonly string[][]> {
  const found = new Map<string, string[][]>();
  for (const phrase of list.split(' | ').map((each) => each.split(' ')))
    found.set(
      phrase[0],
      [...(found.get(phrase[0]) ?? []), phrase].sort((a, b) => b.length - a.length),
    );
  return found;
}

/** Greetings, thanks and the like: wherever they stand. */
const phrases = byFirstWord(lists.phrases);
/** What a request begins with: "could you tell me", "my boss wants". */
const frames = byFirstWord(lists.frames);
/** What a clause begins with that says why or for whom: "my friend says", "because". */
const asides = byFirstWord(lists.asides);
/** The same where it may name what it is about, which the question then names again: "i heard the golden cross works". */
const hearsay = byFirstWord(lists.hearsay);
/** What somebody owns, for questions that ask nothing of it: "for my portfolio of 10k"; "#" is any number. */
const possessions = byFirstWord(lists.possessions);
/** A clause with one of these says what is not wanted. */
const restrictions = wordSet('talk', 'restrictions');
/** Slots that words of every day are read as. */
const loose = wordSet('talk', 'loose');
/** From this score on a clause is a question by itself. */
const strong = 0.42;

const lengthAt = (
  list: ReadonlyMap<string, readonly string[][]>,
  tokens: readonly Token[],
  at: number,
): number =>
  list.get(tokens[at].text)?.find((phrase) =>
    phrase.every((word, n) => {
      const { kind, text } = tokens[at + n] ?? {};
      return word === '#' ? kind === 'number' : kind === 'word' && (word === '*' || text === word);
    }),
  )?.length ?? 0;

/**
 * The tokens without talk: greetings, thanks, what a request begins with, and clauses that say why or for whom it is asked, unless
 * they name something that a slot takes or that is not wanted. All tokens where nothing else would be left.
 */
export function withoutTalk(tokens: readonly Token[], parts: MessageParts): readonly Token[] {
  const bare = clausesOf(without(phrases, tokens)).map((clause) => withoutFrame(clause));
  const kept = bare.filter((clause) => !isAside(clause, parts));
  const isClear = (clause: readonly Token[]) => isQuestion(clause, parts);
  const heard = kept.filter((clause) => !startsWith(hearsay, clause) || namesAsset(clause, parts));
  const left = (heard.some(isClear) ? heard : kept.some(hasWords) ? kept : bare).flat();
  const bought = without(possessions, left);
  const isOfAmount = parts.rank(bought)[0]?.intent.takes.includes('amount') ?? true;
  if (
    bought.length < left.length &&
    isClear(bought) &&
    !isOfAmount &&
    !('amount' in parts.rank(bought)[0].intent.needs)
  )
    return bought;
  return hasWords(left) ? left : tokens;
}

const namesAsset = (clause: readonly Token[], parts: MessageParts): boolean =>
  parts.read(clause).slots.asset !== undefined;

/** Whether a clause is a question by itself, for a tool. */
function isQuestion(clause: readonly Token[], parts: MessageParts): boolean {
  const [best] = parts.rank(clause);
  return best !== undefined && best.score >= strong && best.intent.tool !== null;
}

/** The first word that counts. */
const startOf = (clause: readonly Token[]): number =>
  clause.findIndex(({ kind, text }) => kind !== 'mark' && !joints.has(text));

function startsWith(list: ReadonlyMap<string, readonly string[][]>, clause: readonly Token[]): boolean {
  const start = startOf(clause);
  return start !== -1 && lengthAt(list, clause, start) > 0;
}

const hasWords = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind !== 'mark');

function without(list: ReadonlyMap<string, readonly string[][]>, tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const length = lengthAt(list, tokens, at);
    if (length === 0) kept.push(tokens[at]);
    else at += length - 1;
  }
  return kept;
}

/** The clauses of a message, each with the mark that ends it. A comma between numbers or words of a list ends one as well. */
function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]];
  tokens.forEach((token, at) => {
    const isNew = joints.has(token.text) && at + 1 < tokens.length && lengthAt(frames, tokens, at + 1) > 0;
    if (isNew) clauses.push([]);
    clauses.at(-1)!.push(token);
    if (token.kind === 'mark' && ends.has(token.text)) clauses.push([]);
  });
  return clauses;
}

const ends = new Set(['.', '!', '?', ';', ':', ',', '\n']);

function withoutFrame(clause: readonly Token[]): readonly Token[] {
  const start = startOf(clause);
  const length = start === -1 ? 0 : lengthAt(frames, clause, start);
  const rest = clause.slice(start + length);
  return length > 0 && hasWords(rest) ? rest : clause;
}

const joints = new Set([
  'so',
  'and',
  'but',
  'well',
  'ok',
  'okay',
  'just',
  'also',
  'actually',
  'anyway',
  'basically',
]);

function isAside(clause: readonly Token[], parts: MessageParts): boolean {
  if (!startsWith(asides, clause)) return false;
  if (clause.some(({ kind, text }) => (kind !== 'word' && kind !== 'mark') || restrictions.has(text)))
    return false;
  const { slots, heard } = parts.read(clause);
  return (
    heard.length === 0 && !isQuestion(clause, parts) && Object.keys(slots).every((slot) => loose.has(slot))
  );
}
