import { dataFile } from '../data-file.js';
import { wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';
import type { Intent } from '../intent.js';
import { usedSlots } from './slot-fit.js';
import type { MessageParts } from './message-parts.js';

/** Talk around a question; "*" stands for any one word. */
type Talk = Record<'phrases' | 'frames' | 'asides' | 'hearsay' | 'possessions', string>;

const lists = dataFile<Talk>('talk');

type Phrases = ReadonlyMap<string, readonly string[][]>;

/** The phrases by their first word, the longest first. */
function byFirstWord(list: string): Phrases {
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
/** What the asker owns, for questions that do not ask about it: "for my portfolio of 10k"; "#" is any number. */
const possessions = byFirstWord(lists.possessions);
/** A clause with one of these says what is not wanted. */
const restrictions = wordSet('talk', 'restrictions');
/** Slots that words of every day are read as. */
const loose = wordSet('talk', 'loose');
/** From this score on a clause is a question by itself. */
const strong = 0.42;

/** How many tokens a phrase of the list takes there. */
const lengthAt = (list: Phrases, tokens: readonly Token[], at: number): number =>
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
  const bare = clausesOf(without(phrases, tokens)).map(withoutFrame);
  const asides = new Set(bare.filter((clause) => isAside(clause, parts)));
  const named = asides.size === 0 ? 0 : bare.filter((clause) => parts.read(clause).slots.asset).length;
  const kept = bare.flatMap((clause) =>
    asides.has(clause) ? (named > 1 ? [] : [assetsOf(clause, parts)]) : [clause],
  );
  const asked = kept.filter((clause) => !startsWith(hearsay, clause) || parts.read(clause).slots.asset);
  const isAsked = asked.length < kept.length && asked.some((clause) => questionOf(clause, parts));
  const left = (isAsked ? asked : kept.some(hasWords) ? kept : bare).flat();
  const owned = without(possessions, left);
  const intent = owned.length < left.length ? questionOf(owned, parts) : undefined;
  if (intent && !usedSlots(intent).has('amount')) return owned;
  return hasWords(left) ? left : tokens;
}

/** The intent of a clause that is a question by itself, for a tool. */
function questionOf(clause: readonly Token[], parts: MessageParts): Intent | undefined {
  const [best] = hasWords(clause) ? parts.rank(clause) : [];
  return best !== undefined && best.score >= strong && best.intent.tool !== null ? best.intent : undefined;
}

/** The first word that counts. */
const startOf = (clause: readonly Token[]): number =>
  clause.findIndex(({ kind, text }) => kind !== 'mark' && !joints.has(text));

function startsWith(list: Phrases, clause: readonly Token[]): boolean {
  const start = startOf(clause);
  return start !== -1 && lengthAt(list, clause, start) > 0;
}

const hasWords = (tokens: readonly Token[]): boolean => tokens.some(({ kind }) => kind !== 'mark');

function without(list: Phrases, tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const length = lengthAt(list, tokens, at);
    if (length === 0) kept.push(tokens[at]);
    else at += length - 1;
  }
  return kept;
}

/** The clauses of a message, each with the mark that ends it. */
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

const joints = wordSet('talk', 'joints');

/** Whether a clause says why or for whom it is asked, and nothing that a slot takes. */
function isAside(clause: readonly Token[], parts: MessageParts): boolean {
  const isPlain = clause.every(
    ({ kind, text }) => kind === 'mark' || (kind === 'word' && !restrictions.has(text)),
  );
  if (!isPlain || !startsWith(asides, clause) || questionOf(clause, parts)) return false;
  const { slots, heard } = parts.read(clause);
  return heard.length === 0 && Object.keys(slots).every((slot) => loose.has(slot));
}

/** "My brother keeps bragging about SOL, is it in an uptrend?": of an aside only the asset is kept, if no other clause names one. */
function assetsOf(clause: readonly Token[], parts: MessageParts): Token[] {
  const question = parts.read(clause);
  return clause.filter((_, at) => question.slotAt(at) === 'asset');
}
