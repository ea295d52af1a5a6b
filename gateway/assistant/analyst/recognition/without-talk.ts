import { dataFile } from '../data-file.js';
import { wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';
import type { Intent } from '../intent.js';
import { usedSlots } from './slot-fit.js';
import type { MessageParts } from './message-parts.js';

/** Talk around a question; "*" stands for any one word, "#" for any number. */
type Talk = Record<'phrases' | 'frames' | 'asides' | 'possessions', string>;

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
/** What a clause behind the question begins with that says why or for whom it is asked: "because", "i am". */
const asides = byFirstWord(lists.asides);
/** What the asker owns, for questions that do not ask about it: "for my portfolio of 10k". */
const possessions = byFirstWord(lists.possessions);
/** A clause with one of these says what is not wanted. */
export const restrictions = wordSet('talk', 'restrictions');
/** The same, but for what people tell of themselves: "my wife kills me if i lose". */
const softRestrictions = wordSet('talk', 'softRestrictions');
/** Slots that words of every day are read as. */
const loose = wordSet('talk', 'loose');
/** Slots of a story that the question may be about: "my finger is on the button for a SOL long, how risky is that". */
const carried = wordSet('talk', 'carried');
/** Of these a story and its question seldom mean the same. */
const spans = new Set(['isToday', 'period', 'windowHours', 'isAllTime']);
/** Who tells something: "i", "we", "everyone". */
const tellers = wordSet('talk', 'tellers');
/** Verbs that introduce what another person says: "the guys in my chat say". */
const reports = wordSet('talk', 'reports');
/** What a question or a request begins with. */
export const askers = wordSet('talk', 'askers');
/** From this score on a clause is a question by itself. */
const strong = 0.42;
/** The same for a clause that begins as questions do, or ends so. */
const faint = 0.22;
/** The most words of a name for those that say something. */
const longestTeller = 7;

/** How many tokens a phrase of the list takes there. */
const lengthAt = (list: Phrases, tokens: readonly Token[], at: number): number =>
  list.get(tokens[at].text)?.find((phrase) =>
    phrase.every((word, n) => {
      const { kind, text } = tokens[at + n] ?? {};
      return word === '#' ? kind === 'number' : kind === 'word' && (word === '*' || text === word);
    }),
  )?.length ?? 0;

/**
 * The tokens without talk: greetings, thanks, what a request begins with, and the clauses that tell a story around the question,
 * unless they name something that is not wanted, or a number. Of a story the assets and the like are kept that the question does
 * not name itself. All tokens where nothing else would be left.
 */
export function withoutTalk(tokens: readonly Token[], parts: MessageParts): readonly Token[] {
  const clauses = clausesOf(without(phrases, tokens)).map((clause) => clauseOf(clause, parts));
  const first = clauses.findIndex(({ isAsked }) => isAsked);
  const kept = first === -1 ? clauses : clauses.filter((each, at) => !isStory(each, at < first, parts));
  const names = new Set(kept.flatMap(({ tokens: own }) => Object.keys(parts.read(own).slots)));
  const asked = clauses.flatMap((clause) =>
    kept.includes(clause) ? clause.tokens : carriedOf(clause.tokens, names, parts),
  );
  // "Pepe is about to flip, what price would that take?": the question alone says too little.
  const all = clauses.flatMap(({ tokens: own }) => own);
  const left = [asked, all].find((each) => questionOf(each, parts, faint)) ?? asked;
  const owned = without(possessions, left);
  const intent = owned.length < left.length ? questionOf(owned, parts) : undefined;
  if (intent && !usedSlots(intent).has('amount')) return owned;
  return hasWords(left) ? left : tokens;
}

/** A stretch of a message up to a mark, without what a request begins with. */
interface Clause {
  tokens: readonly Token[];
  /** Whether it is a question for a tool by itself, and not only told. */
  isAsked: boolean;
  /** Whether it begins as questions and requests do, or ends so. */
  isAsking: boolean;
  isTold: boolean;
}

function clauseOf(clause: readonly Token[], parts: MessageParts): Clause {
  const framed = withoutFrame(clause);
  const told = withoutReport(framed, parts);
  const isTold = told !== framed || (framed === clause && isTelling(clause));
  const start = startOf(told);
  const [first, second] = [told[start]?.text, told[start + 1]?.text];
  // "Was on a plane" leaves out who was.
  const isNegated = second === 'not' || (subjectless.has(first) && places.has(second));
  const isAsking =
    start !== -1 && !isNegated && (askers.has(first) || told.at(-1)?.text === '?' || framed !== clause);
  const isAsked = !isTold && questionOf(told, parts, isAsking ? faint : strong) !== undefined;
  return { tokens: told, isTold, isAsking, isAsked };
}

const subjectless = new Set(['was', 'were', 'am', 'have', 'had']);
const places = new Set(['on', 'in', 'at', 'to', 'off', 'out', 'away', 'back', 'been']);

/** A statement about another person is no question: "my wife bought LTC". */
function isTelling(clause: readonly Token[]): boolean {
  const start = startOf(clause);
  return start !== -1 && tellers.has(clause[start].text) && !clause.some(({ text }) => text === '?');
}

/** The intent of a clause that is a question by itself, for a tool. */
function questionOf(clause: readonly Token[], parts: MessageParts, least = strong): Intent | undefined {
  const [best] = hasWords(clause) ? parts.rank(clause) : [];
  return best !== undefined && best.score >= least && best.intent.tool !== null ? best.intent : undefined;
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
  return clauses.filter((clause) => clause.length > 0);
}

const ends = new Set(['.', '!', '?', ';', ':', ',', '\n']);

function withoutFrame(clause: readonly Token[]): readonly Token[] {
  const start = startOf(clause);
  const length = start === -1 ? 0 : lengthAt(frames, clause, start);
  const rest = clause.slice(start + length);
  return length > 0 && hasWords(rest) ? rest : clause;
}

/** Words that join a clause to the one before it: "so", "but". */
export const joints = wordSet('talk', 'joints');

/** "The guys in the group chat say X" is X. Who says it is a few words without a slot. */
function withoutReport(clause: readonly Token[], parts: MessageParts): readonly Token[] {
  const start = startOf(clause);
  if (start === -1 || askers.has(clause[start].text)) return clause;
  const at = clause.findIndex(({ text }, n) => n > start && n <= start + longestTeller && reports.has(text));
  if (at === -1 || clause.slice(start, at).some(({ kind }) => kind !== 'word')) return clause;
  const { slots, heard } = parts.read(clause.slice(start, at));
  if (heard.length > 0 || Object.keys(slots).length > 0) return clause;
  const skipped = ['that', 'me', 'to'].includes(clause[at + 1]?.text) ? 2 : 1;
  const rest = clause.slice(at + skipped);
  return hasWords(rest) ? rest : clause;
}

/** Whether a clause beside a question only says why, when or for whom it is asked. */
function isStory(clause: Clause, isBefore: boolean, parts: MessageParts): boolean {
  const { tokens, isAsked, isAsking, isTold } = clause;
  if (isAsked || !(startsWith(asides, tokens) || (!isAsking && (isBefore || isTold)))) return false;
  const question = parts.read(tokens);
  const isPlain = tokens.every(({ kind, text }, at) =>
    kind === 'word'
      ? !restrictions.has(text) && (isTold || !softRestrictions.has(text))
      : kind === 'mark' || carried.has(question.slotAt(at) ?? ''),
  );
  if (!isPlain) return false;
  const { slots, heard } = question;
  return (
    heard.every(({ kind }) => kind === 'subject') &&
    Object.keys(slots).every((slot) => loose.has(slot) || carried.has(slot))
  );
}

/** "My brother keeps bragging about SOL, is it in an uptrend?": what a story names and the question does not. */
function carriedOf(clause: readonly Token[], names: ReadonlySet<string>, parts: MessageParts): Token[] {
  const question = parts.read(clause);
  return clause.filter((_, at) => {
    const slot = question.slotAt(at);
    if (slot === undefined || !carried.has(slot) || names.has(slot)) return false;
    return !(spans.has(slot) && [...spans].some((each) => names.has(each)));
  });
}
