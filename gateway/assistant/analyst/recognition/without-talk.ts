import { dataFile } from '../data-file.js';
import { wordSet } from '../word-list.js';
import type { Token } from '../text/token.js';
import { fieldWords, isFieldWord } from '../vocabulary/words.js';
import type { Intent } from '../intent.js';
import type { Question } from '../slots/question.js';
import { usedSlots } from './slot-fit.js';
import type { MessageParts } from './message-parts.js';
import type { IntentScore } from './phrase-index.js';

/** Talk around a question; "*" stands for any one word, "#" for any number. */
type Talk = Record<'phrases' | 'frames' | 'asides', string>;

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
/** What a clause begins with that says why or for whom it is asked: "because", "i am", "so that". */
const asides = byFirstWord(lists.asides);
/** A clause with one of these says what is not wanted. */
const restrictions = wordSet('talk', 'restrictions');
/** The same, but for what people tell of themselves: "my wife kills me if i lose". */
const softRestrictions = wordSet('talk', 'softRestrictions');
/** Slots of a story that the question may be about: "my finger is on the button for a SOL long, how risky is that". */
const carried = wordSet('talk', 'carried');
/** Slots that words of every day are read as. */
const loose = wordSet('talk', 'loose');
/** A subject that is not here is part of the question, unless a person tells of it: "silver or bitcoin, who did better". */
const ofSubjects = new Set(['subject', 'beside']);
/** What a story may name and its question need not say: "was in the gym when LTC dumped at 3pm". */
const times = new Set(['date', 'hours', 'time', 'noDate', 'since']);
/** What is said of a test counts for it wherever it is said. */
const ofTests = new Set(['leverage', 'params', 'conditions']);
/** Of these a story and its question seldom mean the same. */
const spans = new Set(['isToday', 'period', 'windowHours', 'isAllTime']);
/** Who tells something: "i", "we", "everyone". */
const tellers = wordSet('talk', 'tellers');
/** What people say of themselves behind "i" in the middle of a sentence: "btc trades i think i overtraded". */
const minds = wordSet('talk', 'minds');
/** Words before "i" that hold it in their clause: "what i", "if i", "do i". */
const binders = wordSet('talk', 'binders');
/** Verbs that introduce what another person says: "the guys in my chat say". */
const reports = wordSet('talk', 'reports');
/** What a question or a request begins with. */
export const askers = wordSet('talk', 'askers');
/** What a clause begins with that adds to the question before it: "on 4h", "sorted by", "exit". */
export const refiners = wordSet('talk', 'refiners');
/** What a clause that belongs to the next one begins with: "after losing on DOGE i switched". */
const subordinators = wordSet('talk', 'subordinators');
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
 * unless they name something that is not wanted or that the question needs. Of a story the assets and the like are kept that the
 * question does not name itself. All tokens where nothing else would be left.
 */
export function withoutTalk(tokens: readonly Token[], parts: MessageParts): readonly Token[] {
  const clauses = clausesOf(without(phrases, tokens), parts).map((clause) => clauseOf(clause, parts));
  const first = clauses.findIndex(({ intent }) => intent);
  const all = clauses.flatMap(({ tokens: own }) => own);
  const used = usedBy([...clauses.map(({ intent }) => intent), questionOf(all, parts, faint)]);
  const kept = clauses.filter((each, at) => first === -1 || !isStory(each, at < first, used, parts));
  const names = new Set(kept.flatMap(({ tokens: own }) => Object.keys(parts.read(own).slots)));
  const isLacking = !names.has('asset') && kept.some(({ intent }) => intent && 'asset' in intent.needs);
  // "Given to us on 13 April 2025. What was it worth that day?"
  const isDated = kept.some(({ tokens: own }) => own.some((_, at) => parts.read(own).slotAt(at) === 'date'));
  const pointsBack =
    !isDated &&
    (names.has('hours') || kept.some(({ tokens: own }) => own.some((_, at) => isPointing(own, at))));
  const asked = clauses.flatMap((clause) =>
    kept.includes(clause)
      ? clause.tokens
      : carriedOf(clause.tokens, names, used, parts, isLacking, pointsBack),
  );
  // "Pepe is about to flip, what price would that take?": the question alone says too little.
  const left = [inPlaceOfIt(asked), all].find((each) => questionOf(each, parts, faint)) ?? asked;
  return hasWords(left) ? left : tokens;
}

/** "That day", "at that very minute", "then" */
export const isPointing = (clause: readonly Token[], at: number): boolean =>
  clause[at].text === 'that' && clause.slice(at + 1, at + 3).some(({ text }) => moments.has(text));
const moments = new Set('day date time moment minute hour evening morning night afternoon'.split(' '));

/** "My brother keeps bragging about SOL, is it in an uptrend?": the one asset of the story stands where the question says "it". */
export function inPlaceOfIt(asked: readonly Token[]): readonly Token[] {
  const assets = asked.filter(({ isCarried }) => isCarried);
  const at = asked.findIndex(({ kind, text }) => kind === 'word' && ['it', 'its'].includes(text));
  if (assets.length !== 1 || at === -1) return asked;
  return asked.flatMap((token, n) => (token === assets[0] ? [] : [n === at ? assets[0] : token]));
}

const usedBy = (intents: readonly (Intent | undefined)[]): ReadonlySet<string> =>
  new Set(intents.flatMap((intent) => (intent === undefined ? [] : [...usedSlots(intent)])));

/** A stretch of a message up to a mark, without what a request begins with. */
interface Clause {
  tokens: readonly Token[];
  /** What it asks of a tool by itself. */
  intent: Intent | undefined;
  /** Whether it begins as questions and requests do, or ends so. */
  isAsking: boolean;
  isTold: boolean;
}

function clauseOf(clause: readonly Token[], parts: MessageParts): Clause {
  const framed = withoutFrame(clause);
  const told = withoutReport(framed, parts);
  const isTold = told !== framed || (framed === clause && isTelling(clause, parts));
  const start = startOf(told);
  const [first, second] = [told[start]?.text, told[start + 1]?.text];
  // "Was on a plane" leaves out who was.
  const isNegated = second === 'not' || (subjectless.has(first) && places.has(second));
  const isAsking =
    start !== -1 && !isNegated && (askers.has(first) || told.at(-1)?.text === '?' || framed !== clause);
  const least = isTold ? (owners.has(first) ? sure : Infinity) : isAsking ? faint : strong;
  const intent = questionOf(told, parts, least);
  return { tokens: told, isTold, isAsking, intent };
}

/** "My pnl for march" tells nothing. */
const owners = new Set(['my', 'our']);
const sure = 0.6;
const subjectless = new Set(['was', 'were', 'am', 'have', 'had']);
const places = new Set(['on', 'in', 'at', 'to', 'off', 'out', 'away', 'back', 'been']);

/** A statement about a person or a past move is no question: "my wife bought LTC", "after losing on DOGE i switched", "SUI broke 1.80". */
function isTelling(clause: readonly Token[], parts: MessageParts): boolean {
  const start = startOf(clause);
  if (start === -1 || clause.some(({ text }) => text === '?')) return false;
  if (moves.has(clause[start + 1]?.text) && parts.read(clause).slotAt(start) === 'asset') return true;
  if (tellers.has(clause[start].text) || lengthAt(asides, clause, start) > 0) return true;
  return subordinators.has(clause[start].text) && clause.some(({ text }) => persons.has(text));
}

/** What a market has done: "dumped", "broke". */
const moves = wordSet('talk', 'moves');
const persons = new Set(['i', 'my', 'we', 'me']);

/** The intent of a clause that is a question by itself, for a tool. */
function questionOf(clause: readonly Token[], parts: MessageParts, least = strong): Intent | undefined {
  const best = bestOf(clause, parts);
  return best !== undefined && best.score >= least && best.intent.tool !== null ? best.intent : undefined;
}

/** Whether it asks for what is not done here: "cancel my ETH order." Before a comma, "sell my SOL, what is my risk" supposes it. */
function isDeed(clause: readonly Token[], used: ReadonlySet<string>, parts: MessageParts): boolean {
  if (clause.at(-1)?.text === ',' && used.has('changes') && parts.read(clause).namesAsset) return false;
  const best = bestOf(clause, parts);
  return best !== undefined && best.score >= strong && best.intent.declines === 'action';
}

const bestOf = (clause: readonly Token[], parts: MessageParts): IntentScore | undefined =>
  hasWords(clause) ? parts.rank(clause)[0] : undefined;

/** The first word that counts. */
const startOf = (clause: readonly Token[]): number =>
  clause.findIndex(({ kind, text }) => kind !== 'mark' && !joints.has(text));

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

/** The clauses of a message, each with the mark that ends it. A reason or an opinion is one of its own without a mark, too. */
function clausesOf(tokens: readonly Token[], parts: MessageParts): Token[][] {
  const clauses: Token[][] = [[]];
  tokens.forEach((token, at) => {
    const last = clauses.at(-1)!;
    const isNew = joints.has(token.text) && at + 1 < tokens.length && lengthAt(frames, tokens, at + 1) > 0;
    if (isNew || (last.length > 0 && beginsAside(tokens, at, parts))) clauses.push([]);
    clauses.at(-1)!.push(token);
    if (token.kind === 'mark' && clauseEnds.has(token.text)) clauses.push([]);
  });
  return clauses.filter((clause) => clause.length > 0);
}

/** "... because", "... i think": what stands before it is the question, or has been told. */
const beginsAside = (tokens: readonly Token[], at: number, parts: MessageParts): boolean =>
  inner.has(tokens[at].text)
    ? lengthAt(asides, tokens, at) > 0
    : ['i', 'we'].includes(tokens[at].text) &&
      minds.has(tokens[at + 1]?.text) &&
      !binders.has(tokens[at - 1].text) &&
      // "Im letzten Sommer" is no "I am".
      tokens[at + 2]?.text !== 'last' &&
      parts.read(tokens).slotAt(at + 2) === undefined;
const inner = wordSet('talk', 'inner');

/** What ends a clause. */
const clauseEnds = new Set(['.', '!', '?', ';', ':', ',', '\n']);

function withoutFrame(clause: readonly Token[]): readonly Token[] {
  const start = startOf(clause);
  const length = start === -1 ? 0 : lengthAt(frames, clause, start);
  const rest = clause.slice(start + length);
  return length > 0 && hasWords(rest) ? withoutFrame(rest) : clause;
}

/** Words that join a clause to the one before it: "so", "but". */
const joints = wordSet('talk', 'joints');

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

/** Whether a clause beside a question only says why, when or for whom it is asked. `used`: the slots that the question may need. */
function isStory(
  { tokens, intent, isAsking, isTold }: Clause,
  isBefore: boolean,
  used: ReadonlySet<string>,
  parts: MessageParts,
): boolean {
  if (intent || (!isTold && isDeed(tokens, used, parts))) return false;
  const question = parts.read(tokens);
  const start = startOf(tokens);
  // "10y yields vs BTC, any link?": words of the field without a verb are the question itself, no story.
  const isTopic = tokens.some(isOfField) && !tokens.some(({ text }) => linking.has(text));
  const isLoose = isTold || (isBefore && !isAsking && !isTopic);
  if (!isLoose && (isBefore || !isRemark(question, start))) return false;
  if (tokens.some(({ text }) => restrictions.has(text) || (!isTold && softRestrictions.has(text))))
    return false;
  const names = [...question.heard.map(({ kind }) => kind), ...Object.keys(question.slots)];
  const isOfPerson = tokens.some(({ text }) => tellers.has(text));
  // "Everything in accumulate, longest first", "XRP by hour, when is it calm"
  const isOfAll = question.slots.state !== undefined || tokens.some(({ text }) => text === 'by');
  const isOfTime = !isTold && refiners.has(tokens[start]?.text);
  return names.every(
    (slot) =>
      carried.has(slot) ||
      (loose.has(slot) && (isTold || isOfPerson || !(ofSubjects.has(slot) || isOfAll))) ||
      (times.has(slot) && !isOfTime) ||
      (isTold && !used.has(slot) && !ofTests.has(slot)),
  );
}

const linking = wordSet('talk', 'linking');
const isOfField = ({ kind, text, isStrange }: Token): boolean =>
  kind === 'word' && (isStrange === true || isFieldWord(text));

/** "Boss asked", "need some popcorn": nothing of trading behind a question. */
const isRemark = ({ tokens, slots, heard }: Question, start: number): boolean =>
  start !== -1 &&
  heard.length === 0 &&
  Object.keys(slots).length === 0 &&
  !refiners.has(tokens[start].text) &&
  tokens.filter(({ kind }) => kind === 'word').length > 1 &&
  tokens.every(({ kind, text }) => kind === 'mark' || (kind === 'word' && !fieldWords.has(text)));

/** "My brother keeps bragging about SOL, is it in an uptrend?": what a story names and the question does not. */
function carriedOf(
  clause: readonly Token[],
  names: ReadonlySet<string>,
  used: ReadonlySet<string>,
  parts: MessageParts,
  isLacking: boolean,
  pointsBack: boolean,
): Token[] {
  const question = parts.read(clause);
  const candidate =
    names.has('asset') || question.slots.asset !== undefined
      ? undefined
      : question.candidatePlaces.find(({ kind }) => kind !== 'word');
  return clause.flatMap((token, at) => {
    const slot = question.slotAt(at);
    if (candidate?.at === at)
      return [candidate.kind === 'asset' ? { ...token, isCashtag: true, isCarried: true } : token];
    // "My uncle made a killing on Tesla, how is the stock trending": the asset that is not here.
    if (slot === 'subject') return isLacking && question.slots.asset === undefined ? [token] : [];
    if (pointsBack && slot === 'date') return [token];
    if (slot === undefined || !carried.has(slot) || names.has(slot)) return [];
    if (!used.has(slot) && slot !== 'side') return [];
    if (spans.has(slot) && [...spans].some((each) => names.has(each))) return [];
    return [slot === 'asset' ? asCarried(question, at) : token];
  });
}

/** A token for another place of the message: beside an asset there may be nothing that says it is one. */
export const asCarried = (question: Question, at: number): Token =>
  isSymbol(question, at)
    ? { ...question.tokens[at], isCashtag: true, isCarried: true }
    : { ...question.tokens[at] };

/** Whether a token alone is an asset: not a part of a name or a pair. */
const isSymbol = (question: Question, at: number): boolean =>
  question.tokens[at].kind === 'word' &&
  question.slotAt(at - 1) !== 'asset' &&
  question.slots.assets?.includes(question.word(at).toUpperCase()) === true;
