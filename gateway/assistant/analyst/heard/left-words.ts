import { wordSet } from '../word-list.js';
import { dataFile } from '../data-file.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import type { Question } from '../slots/question.js';
import type { Token } from '../text/token.js';
import type { Intent } from '../intent.js';
import { joinSynonyms } from '../vocabulary/synonyms.js';
import { commonWords, fillerWords, isFieldWord, isOrdinaryWord, termOf } from '../vocabulary/words.js';
import { brokenLimits } from './limits.js';
import { askers } from '../recognition/without-talk.js';
import { ruleTools } from '../recognition/test-cue.js';
import { intents } from '../intents.js';
import { subjectWords } from './not-here.js';
import type { ReadQuestion } from './read-question.js';
import type { SlotName } from '../slots.js';
import { usedSlots } from '../recognition/slot-fit.js';

interface Words {
  /** Words around a test that name no rule. */
  aroundTests: string;
  /** Of these the words that are no part of a name even beside one. */
  functionWords: string;
  /** Words for parts of a rule that strategies here don't have. */
  ofRules: string;
}

const words = dataFile<Words>('rule-words');
const fillers = new Set(fillerWords);
const fillerTerms = new Set(fillerWords.map(termOf));
const aroundTests = new Set([...fillerWords, ...words.aroundTests.split(' ')]);
const functionWords = new Set(words.functionWords.split(' '));
const ofRules = new Set(words.ofRules.split(' '));

/** Words that only qualify their neighbour: "only", "more than", "during". */
const weak = wordSet('left-words', 'weak');
/** Slots that are read beside a rule, and are no words of it. */
const general = wordSet('left-words', 'general');
/** Slots that have a note of their own where they are not used, and those that only point into a conversation. */
const noted = wordSet('left-words', 'noted');
/** Slots of numbers: one that stands in no argument is named, though the intent uses the slot. */
const numeric = wordSet('left-words', 'numeric');
/** Words that no argument of any tool can carry. */
const ofNoSlot = wordSet('left-words', 'ofNoSlot');
/** Words that change which figure is asked for: a phrase must have them, and the question most of its other terms. */
const operators = wordSet('left-words', 'operators');
const conditionals = wordSet('left-words', 'conditionals');
const sorting = wordSet('conditions', 'sorting');
/** Slots whose words may belong to what the intent tells anyway: "stops with their distance in ATR". */
const asWords = new Set(['term', 'side', 'indicator', 'strategy']);
/** "Every Friday": a day that comes again is no date. */
const repeats = new Set(['every', 'each']);

/** The words that are left, next to each other as one, with small words between them. */
function stretches({ question, figures }: ReadQuestion, isLeft: (at: number) => boolean): string[] {
  // A figure of the answer takes its words, and the small word behind them: "sample size behind".
  const isTaken = (at: number) =>
    figures?.has(at) === true ||
    (figures?.has(at - 1) === true && question.isFree(at) && prepositions.has(question.word(at)));
  const { tokens } = question;
  const own = new Set([...tokens.keys()].filter((at) => !isTaken(at) && isLeft(at) && !isTale(question, at)));
  const left = [...tokens.keys()].filter(
    (at) => own.has(at) || (question.isFree(at) && weak.has(question.word(at))),
  );
  const found: string[] = [];
  for (let n = 0; n < left.length; n++) {
    const first = n;
    while (n + 1 < left.length && isBridged(question, left[n], left[n + 1])) n++;
    const places = left.slice(first, n + 1);
    // The "not" of "isn't" is written in the word before it.
    const from = question.tokens[places[0]].raw === '' ? places[0] - 1 : places[0];
    if (places.some((at) => own.has(at)))
      found.push(question.written(...widened(question, from, places.at(-1)! + 1, isTaken)));
  }
  // "Only", "when": words that say nothing without what they are said of.
  const isEmpty = (word: string) => weak.has(word) || articles.has(word);
  const telling = found.filter((each) => !each.toLowerCase().split(' ').every(isEmpty));
  return telling.length > 0 ? telling : found;
}

const articles = new Set(['a', 'an', 'the']);

/** "Pips are no use to me. What is the ATR": a sentence about the person that asks, beside others. */
function isTale(question: Question, at: number): boolean {
  const ends = [...question.tokens.keys()].filter((place) => question.tokens[place].raw === '.');
  const from = (ends.findLast((end) => end < at) ?? -1) + 1;
  const words = question.tokens
    .slice(
      from,
      ends.find((end) => end >= at),
    )
    .map(({ text }) => text);
  return (
    words.length < question.tokens.length - 1 &&
    !askers.has(words[0]) &&
    words.some((word) => persons.has(word))
  );
}
const persons = new Set(['i', 'me', 'my', 'we', 'our']);

/** A word is named with those that it stands beside: "limit orders", "z score". */
function widened(
  question: Question,
  from: number,
  to: number,
  isTaken: (at: number) => boolean,
): [from: number, to: number] {
  const isBeside = (at: number) =>
    question.isFree(at) && !isTaken(at) && question.word(at) !== '' && !aroundTests.has(question.word(at));
  return [isBeside(from - 1) ? from - 1 : from, isBeside(to) ? to + 1 : to];
}

/** Whether nothing but words that say nothing, or a dash, stands between two places: "only on down days". */
const isBridged = (question: Question, from: number, to: number): boolean =>
  to - from <= longestBridge &&
  question.tokens
    .slice(from + 1, to)
    .every(
      ({ text }, n) => ['-', '='].includes(text) || (question.isFree(from + 1 + n) && fillers.has(text)),
    );
const longestBridge = 3;

/** "Coins that have not flipped": the answer would be of those that have. */
const negates = (question: Question, at: number): boolean =>
  question.word(at) === 'not' &&
  question.word(at + 1) !== '' &&
  question.word(at - 2) !== 'why' &&
  !softeners.has(question.word(at - 1));
const softeners = new Set(['or', 'must', 'do', 'does', 'did', 'i', 'if', 'why', 'is', 'would']);

/** "Trades that lasted less than an hour": the span alone would be another question. */
function compares(question: Question, at: number): boolean {
  if (question.word(at) !== 'than') return false;
  const slot = question.slotAt(at + (question.isFree(at + 1) ? 2 : 1));
  // "I never lose more than 1 %"
  return slot !== undefined && slot !== 'asset' && slot !== 'percent';
}

interface Heard extends ReadQuestion {
  /** The terms of all words of the question. */
  asked: ReadonlySet<string>;
}

/** Whether a token says something of the field that neither a slot nor a phrase of the intent has. */
function isResidue(heard: Heard, at: number): boolean {
  const { question, intent } = heard;
  const { kind, unit = '', raw, value } = question.tokens[at];
  const used = usedSlots(intent);
  const slot = question.slotAt(at);
  const word = question.word(at);
  // "Sym=ETH tf=4h": what programs call a value.
  if (question.isMark(at + 1, '=')) return false;
  const isUsed = slot !== undefined && used.has(slot as SlotName);
  const groups = 'by' in intent.needs || intent.takes.includes('by');
  // "Daily" was read as the interval.
  if (slot === 'every' && question.slots.every === undefined) return false;
  if (ofNoSlot.has(word))
    return !groups && !isTold(heard, at) && (!isUsed || repeats.has(question.word(at - 1)));
  if (asWords.has(slot ?? '') && kind === 'word' && isExplained(heard, at, 0)) return false;
  // "Divergences with the stochastic": an indicator that the tool has no argument for.
  if (slot === 'indicator' && isUsed && kind === 'word' && !averages.has(word) && !takesIndicator(intent))
    return true;
  if (slot !== undefined && slot !== 'term')
    return (
      // "On all three timeframes" restricts nothing.
      !(kind === 'number' && (question.word(at - 1) === 'all' || question.word(at + 1) === 'timeframes')) &&
      ((kind === 'number' && numeric.has(slot) && value !== 1) || (!isUsed && !noted.has(slot)))
    );
  if (kind === 'number') return unit !== '' || /[a-z]$/i.test(raw);
  if (kind !== 'word') return false;
  if (question.isUnknown(at)) return true;
  if (conditionals.has(word) && !used.has('assets') && joinsAssets(question, at)) return true;
  if (negates(question, at) || compares(question, at) || /^\d/.test(word)) return true;
  const choice = question.choiceTerms.get(termOf(word));
  if (choice !== undefined && used.has(choice)) return false;
  if (choice === 'by' && question.word(at - 1) === 'by') return true;
  const isOperator = operators.has(word);
  const isSmall = fillers.has(word) || weak.has(word) || isArgument(heard, at);
  const isNamed =
    isOperator ||
    choice === 'riskStyle' ||
    isFieldWord(word) ||
    (!isSmall && (isOfOthers(question.tokens[at]) || isHead(question, at)));
  if (
    word === 'only' &&
    (question.word(at - 1) === 'i' ||
      question.slotAt(at - 2) === 'count' ||
      [at - 1, at + 1, at + 2].some((beside) => used.has(question.slotAt(beside) as SlotName)))
  )
    return false;
  return isNamed && !isExplained(heard, at, isOperator ? 0.5 : 0);
}

/** "Ranked by Sortino": a figure that orders nothing here. */
const isOrder = ({ question }: ReadQuestion, at: number): boolean =>
  question.word(at - 1) === 'by' &&
  !fillers.has(question.word(at)) &&
  question.tokens.some((_, place) => sorting.has(question.word(place)));

/** What the intents tell of: words that several phrases of one have, and those of subjects that are not here. */
const tellingWords: ReadonlySet<string> = new Set([
  ...intents.flatMap(({ phrases }) => {
    const counts = new Map<string, number>();
    for (const word of phrases.flatMap((phrase) => [...new Set(phrase.split(' '))]))
      counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].flatMap(([word, count]) => (count > 1 ? [word] : []));
  }),
  ...subjectWords,
]);

/** A word that is unknown, or that other intents tell of: "distance" beside a trend. Deeds and manners are seldom subjects. */
const isOfOthers = ({ text, isCorrected, isStrange }: Token): boolean =>
  (isStrange === true && !/i(?:er|est)$/.test(text)) ||
  (isCorrected !== true &&
    tellingWords.has(text) &&
    !isOrdinaryWord(text) &&
    !commonWords.has(text) &&
    !/(?:ed|ing|ly|ate)$/.test(text));

const actors = wordSet('left-words', 'actors');
const prepositions = wordSet('left-words', 'prepositions');
/** Before these a word says which of them is meant. */
const kinds = wordSet('left-words', 'kinds');

/** Whether a word stands where a question says what it wants of an asset: "fud on XRP", "SOL hashrate", "ultimate oscillator". */
function isHead(question: Question, at: number): boolean {
  if (actors.has(question.word(at - 1))) return false;
  if (question.word(at - 1) === 'per') return true;
  const behind = prepositions.has(question.word(at + 1)) ? at + 2 : at + 1;
  if (question.slotAt(behind) === 'asset' || kinds.has(question.word(at + 1))) return true;
  if (question.slotAt(at - 1) !== 'asset' || fillerTerms.has(termOf(question.word(at)))) return false;
  // "Does SOL behave", "SOL goes": what an asset does is no subject.
  let before = at - 1;
  while (question.slotAt(before) === 'asset' || ['the', 'and', 'or'].includes(question.word(before)))
    before--;
  return !actors.has(question.word(before));
}

/** "Link risk?": a word that was taken for an asset at last. */
const isArgument = ({ question, args }: Heard, at: number): boolean =>
  JSON.stringify(args).includes(`"${question.word(at).toUpperCase()}"`);

const averages = wordSet('left-words', 'averages');
const takesIndicator = ({ tool }: Intent): boolean =>
  ['indicators', 'conditions', 'name', 'strategy', 'id'].some(
    (name) => listingNamed(tool ?? '')?.inputSchema.properties[name] !== undefined,
  );

/** By intent: the terms of its phrases and of its tool's description, without small words. */
const contents = new Map<Intent, string[][]>();

function contentsOf(intent: Intent): string[][] {
  let own = contents.get(intent);
  if (!own) contents.set(intent, (own = [...intent.phrases, aboutOf(intent)].map(contentOf)));
  return own;
}

/** Whether a word and one beside it belong to what the tool tells: "bandwidth percentile", "median RSI". */
function isTold({ question, intent }: Heard, at: number): boolean {
  const about = contentsOf(intent).at(-1)!;
  const isOf = (place: number) => question.termsAt(place).some((term) => about.includes(term));
  return isOf(at) && [at - 1, at + 1].some(isOf);
}

/** Whether a phrase of the intent has the word, and the question more than that share of the terms of the phrase. */
function isExplained(heard: Heard, at: number, share: number): boolean {
  const { question, intent, asked } = heard;
  const own = contentsOf(intent);
  const terms = question.termsAt(at);
  if (isTold(heard, at)) return true;
  return own.some(
    (phrase) =>
      terms.some((term) => phrase.includes(term)) &&
      phrase.filter((each) => asked.has(each)).length > phrase.length * share,
  );
}

/** What the tool tells and takes, as the catalogue says it: "total return, win rate, Sharpe". */
function aboutOf({ tool }: Intent): string {
  const { description = '', inputSchema } = listingNamed(tool ?? '') ?? {};
  return [description.split('. ')[0], ...Object.keys(inputSchema?.properties ?? {})].join(' ');
}

const contentOf = (phrase: string): string[] =>
  joinSynonyms(
    phrase
      .toLowerCase()
      .split(/[^a-z{}]+/)
      .filter((word) => !word.startsWith('{') && !fillers.has(word))
      .map(termOf),
  );

/** "Seasonality of SOL when BTC falls": what is asked of one asset, while another one does something. */
function joinsAssets(question: Question, at: number): boolean {
  const assets = [...question.tokens.keys()].filter((place) => question.slotAt(place) === 'asset');
  return assets.some((place) => place < at) && assets.some((place) => place > at);
}

/** The name of a strategy that is asked for and not known here; undefined where one is known, or none is named. */
export function unknownStrategy({ question, intent, slots, figures }: ReadQuestion): string | undefined {
  if (!ruleTools.has(intent.tool!) || (question.slots.strategies ?? []).length > 0) return undefined;
  const isName = (at: number) => figures?.has(at) !== true && isNameOfRule(question, at);
  const [start, end] = sentenceOfTest(question);
  const named = [...question.tokens.keys()].filter(isName);
  const within = named.filter((at) => at >= start && at < end);
  const places = within.length > 0 ? within : named;
  if (places.every((at) => weak.has(question.word(at)))) return undefined;
  // "Put a stop at 8 %" after a test is a part of its rule.
  if (slots.strategies !== undefined && places.some((at) => ofRules.has(question.word(at)))) return undefined;
  // A leaderboard needs no strategy: "which has been king lately".
  if (
    !('strategy' in intent.needs) &&
    intent.takes.includes('leaderboardRank') &&
    !places.some((at) => isFieldWord(question.word(at)) || !isOrdinaryWord(question.word(at)))
  )
    return undefined;
  // From the first to the last word that may belong to the name, with the words beside it: "three bar play".
  const isBeside = (at: number) =>
    (question.isFree(at) || besides.has(question.slotAt(at) ?? '')) &&
    question.tokens[at].kind !== 'mark' &&
    !functionWords.has(question.word(at));
  let [from, to] = [places[0], places.at(-1)! + 1];
  while (isBeside(from - 1)) from--;
  while (to < question.tokens.length && isBeside(to)) to++;
  return question.written(from, Math.min(to, from + longestName));
}

/** The sentence that says what is tested; all of the question where none does. */
function sentenceOfTest(question: Question): [from: number, to: number] {
  const at = question.tokens.findIndex((_, place) => /^back-?test/.test(question.word(place)));
  const isEnd = (place: number) => ['.', '?', '!'].includes(question.tokens[place].raw);
  const ends = [...question.tokens.keys()].filter(isEnd);
  if (at === -1) return [0, question.tokens.length];
  return [
    (ends.findLast((end) => end < at) ?? -1) + 1,
    ends.find((end) => end > at) ?? question.tokens.length,
  ];
}

/** "Compare donchian, inside bar and RSI reversal": words that stand in a list of strategies and name none. */
function isListedRule(question: Question, at: number): boolean {
  const isJoint = (place: number) => [',', 'and', 'or', 'vs', '/'].includes(question.tokens[place]?.text);
  const isName = (place: number) =>
    question.isFree(place) &&
    question.tokens[place].kind === 'word' &&
    !functionWords.has(question.word(place));
  if (!isName(at)) return false;
  let [from, to] = [at, at + 1];
  while (isName(from - 1) && !isJoint(from - 1)) from--;
  while (to < question.tokens.length && isName(to) && !isJoint(to)) to++;
  return isJoint(from - 1) && isJoint(to) && to - from <= 3 && question.slotAt(from - 2) === 'strategy';
}

/** Slots that a name of a rule may hold: "buying every Monday", "hodl till 2x". */
const besides = wordSet('left-words', 'besides');
const longestName = 12;
/** Numbers that are read for other intents: "max 3 trades a day". */
const ofCounts = wordSet('left-words', 'ofCounts');

/** Whether a token may belong to the name of a rule: any word that does not stand around tests. */
function isNameOfRule(question: Question, at: number): boolean {
  const { kind } = question.tokens[at];
  if (isForeign(question, at)) return kind !== 'mark';
  if (!question.isFree(at)) return false;
  const word = question.word(at);
  return kind === 'word' && !aroundTests.has(word);
}

/** Whether a token was given to a slot that the rule of a test has nothing to do with: an indicator, a stop, a condition. */
function isForeign(question: Question, at: number): boolean {
  const slot = question.slotAt(at);
  if (slot === 'indicator' && question.slots.indicator === undefined) return false;
  return slot !== undefined && !general.has(slot);
}

/**
 * What is left of a question after all readers: words of the field and numbers with units that no phrase of the intent has, and
 * values of slots that it does not use. Of a rule also its parts, which strategies here do not have.
 */
export function leftWords(read: ReadQuestion): string[] {
  const { question, intent, args } = read;
  const heard = { ...read, asked: new Set(question.tokens.flatMap((_, at) => question.termsAt(at))) };
  const told = `${JSON.stringify(args)} ${listingNamed(intent.tool!)?.description ?? ''}`;
  const said = new Set((told.match(/\d+(?:\.\d+)?/g) ?? []).map(Number));
  for (const { value } of brokenLimits(read)) said.add(value);
  const isSaid = (at: number) => said.has(question.tokens[at].value ?? NaN);
  if (!ruleTools.has(intent.tool!)) return stretches(read, (at) => !isSaid(at) && isResidue(heard, at));
  if ((read.slots.strategies ?? []).length === 0) return stretches(read, (at) => isOrder(read, at));
  const used = usedSlots(intent);
  return stretches(read, (at) => {
    const slot = question.slotAt(at);
    const { kind } = question.tokens[at];
    if (slot !== undefined)
      return (
        (isForeign(question, at) && kind !== 'mark') || (ofCounts.has(slot) && !used.has(slot as SlotName))
      );
    if (isListedRule(question, at)) return true;
    const isPart = ofRules.has(question.word(at)) && !isExplained(heard, at, 0);
    return isPart || isOrder(read, at) || isResidue(heard, at);
  });
}
