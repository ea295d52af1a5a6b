import { wordSet } from '../word-list.js';
import { dataFile } from '../data-file.js';
import type { Question } from '../slots/question.js';
import type { Intent } from '../intent.js';
import { joinSynonyms } from '../vocabulary/synonyms.js';
import { commonWords } from '../vocabulary/common-words.js';
import { isOrdinaryWord } from '../vocabulary/ordinary-words.js';
import { termOf } from '../vocabulary/terms.js';
import { ruleTools } from './rule-tools.js';
import type { ReadQuestion } from './read-question.js';
import type { SlotName } from '../slots.js';
import { listingNamed } from '../../../mcp/catalogue.js';
import { usedSlots } from '../recognition/slot-fit.js';

interface Words {
  /** Words around a test that name no rule. */
  aroundTests: string;
  /** Of these the words that are no part of a name even beside one. */
  functionWords: string;
  /** Words for parts of a rule that strategies here don't have. */
  ofRules: string;
  /** Words that say nothing, whatever is asked. */
  fillers: string;
}

const words = dataFile<Words>('rule-words');
const aroundTests = new Set(`${words.fillers} ${words.aroundTests}`.split(' '));
const functionWords = new Set(words.functionWords.split(' '));
const ofRules = new Set(words.ofRules.split(' '));

/** Words that only qualify their neighbour: "only", "more than", "during". */
const weak = wordSet('left-words', 'weak');

/** Slots that are read beside a rule, and are no words of it. */
const general = wordSet('left-words', 'general');

/** The words of a question that neither name something known nor stand around a test, next to each other as one. */
function stretches(question: Question, isLeft: (at: number) => boolean): string[] {
  const found: string[] = [];
  let from: number | undefined;
  for (let at = 0; at <= question.tokens.length; at++) {
    const isIn = at < question.tokens.length && isLeft(at);
    if (isIn) from ??= at;
    else if (
      from !== undefined &&
      isBridge(question, at) &&
      (isLeft(at + 1) || (isBridge(question, at + 1) && isLeft(at + 2)))
    )
      continue;
    else if (from !== undefined) {
      const isJoint = question.tokens[at]?.text === '-' || question.tokens[at]?.text === '=';
      if (isJoint && isLeft(at + 1)) continue;
      const words = question.tokens.slice(from, at);
      if (
        !words.every(
          ({ kind, text }, n) => kind === 'word' && weak.has(text) && !negates(question, from! + n),
        )
      )
        found.push(question.written(from, at));
      from = undefined;
    }
  }
  return found;
}

/** "Coins that have not flipped": the answer would be of those that have. */
const negates = (question: Question, at: number): boolean =>
  question.word(at) === 'not' && question.word(at + 1) !== '' && !softeners.has(question.word(at - 1));
const softeners = new Set(['or', 'must', 'do', 'does', 'did', 'i', 'if', 'why', 'is', 'would']);

/** "Only on down days" is left as a whole. */
const isBridge = (question: Question, at: number): boolean =>
  at + 1 < question.tokens.length && question.isFree(at) && fillers.has(question.word(at));

/** Whether a token was given to a slot that the rule of a test has nothing to do with: an indicator, a stop, a condition. */
function isForeign(question: Question, at: number): boolean {
  const slot = question.slotAt(at);
  if (slot === 'indicator' && question.slots.indicator === undefined) return false;
  return slot !== undefined && !general.has(slot);
}

/** Slots that have a note of their own where they are not used, and those that only point into a conversation. */
const noted = wordSet('left-words', 'noted');
/** Slots of numbers: one that stands in no argument is named, though the intent uses the slot. */
const numeric = wordSet('left-words', 'numeric');
/** Words that no argument of any tool can carry. */
const ofNoSlot = wordSet('left-words', 'ofNoSlot');
const shortestStem = 4;
/** Words without which the question is the same: pronouns, articles, verbs without a subject, small talk. */
const fillers = new Set(words.fillers.split(' '));
/** The same by their stems: "saying", "gave". */
const fillerTerms = new Set([...fillers].filter((word) => word.length >= shortestStem).map(termOf));

/** Whether a token says something that neither a slot nor a phrase of the intent has. */
function isResidue(question: Question, at: number, { intent, args }: ReadQuestion): boolean {
  const { kind, unit = '', raw, value } = question.tokens[at];
  const used = usedSlots(intent);
  const slot = question.slotAt(at);
  const word = question.word(at);
  const isUsed = slot !== undefined && used.has(slot as SlotName);
  if (ofNoSlot.has(word))
    return (
      !('by' in intent.needs || intent.takes.includes('by')) &&
      (!isUsed || repeats.has(question.word(at - 1)))
    );
  if (
    intent.says?.has(`${raw}${unit}`.toLowerCase()) === true ||
    intent.says?.has(raw.toLowerCase()) === true
  )
    return false;
  if (kind === 'number' && intent.phrases.some((phrase) => phrase.includes(String(value)))) return false;
  if (slot === 'term' && JSON.stringify(args).includes(`"${word}"`)) return false;
  if (slot !== undefined && slot !== 'term')
    return (kind === 'number' && numeric.has(slot) && value !== 1) || (!isUsed && !noted.has(slot));
  if (kind === 'number') return unit !== '' || /[a-z]$/i.test(raw);
  if (intent.omits?.has(word) === true) return true;
  if (comparing.has(word) && (question.slots.assets?.length ?? 0) > 1) return false;
  if (kind !== 'word' || fillers.has(word) || saysNothing(question, at)) return false;
  if (isSpoken(question, at)) return false;
  if (fillerTerms.has(termOf(word)) && !operators.has(word)) return false;
  if (isDeed(question, at) || isOfPrice(question, at) || isOfAll(question, at)) return false;
  const choice = question.choiceTerms.get(termOf(word));
  if (isNamed(question, at, args) || (choice !== undefined && used.has(choice))) return false;
  if (
    isBeforeSlot(question, at) ||
    (word.length <= longestGrunt && !commonWords.has(word) && termOf(question.word(at + 1)) !== 'coin')
  )
    return false;
  if (conditionals.has(word) && !used.has('assets') && joinsAssets(question, at)) return true;
  const asked = new Set(question.tokens.flatMap((_, each) => question.termsAt(each)));
  const share = operators.has(word) ? 0.5 : 0;
  return !question.termsAt(at).some((term) => isExplained(term, intent, asked, share));
}

/** By intent: the terms of its phrases that say something. */
const contents = new Map<Intent, string[][]>();

/** Whether a phrase of the intent has the term, and the question has most of the other terms of that phrase. */
function isExplained(term: string, intent: Intent, asked: ReadonlySet<string>, share: number): boolean {
  let own = contents.get(intent);
  if (!own) contents.set(intent, (own = [...intent.phrases, aboutOf(intent)].map(contentOf)));
  return own.some(
    (phrase) =>
      phrase.includes(term) && phrase.filter((each) => asked.has(each)).length > phrase.length * share,
  );
}

/** What the tool tells, as the catalogue says it: "total return, win rate, Sharpe". */
const aboutOf = ({ tool }: Intent): string => listingNamed(tool ?? '')?.description.split('. ')[0] ?? '';

/** Words that change which figure is asked for: a phrase must have them, and the question most of its other terms. */
const operators = wordSet('left-words', 'operators');

const contentOf = (phrase: string): string[] =>
  joinSynonyms(
    phrase
      .toLowerCase()
      .split(/[^a-z{}]+/)
      .filter((word) => !word.startsWith('{') && !fillers.has(word))
      .map(termOf),
  );

/** "Obtain the", "tightly", "teh": a request, a manner, and a word that says nothing with its letters in another order. */
function saysNothing(question: Question, at: number): boolean {
  const word = question.word(at);
  const isRequest = at === 0 && determiners.has(question.word(at + 1)) && !operators.has(word);
  return (
    isRequest ||
    /^(?!daily|weekly|monthly|hourly|yearly|early).{4,}ly$/.test(word) ||
    (!commonWords.has(word) && swapped.has(sortedLetters(word)))
  );
}

/**
 * A word of ordinary English that changes nothing: "buddy", "my poor sol". One behind a word that restricts ("only", "in", "when")
 * or before a word of the field ("hidden orders") may.
 */
function isSpoken(question: Question, at: number): boolean {
  const { raw } = question.tokens[at];
  const isPlain = (place: number) => isOrdinaryWord(question.word(place)) && question.isFree(place);
  if (!isPlain(at) || (/^[A-Z]/.test(raw) && at > 0 && question.hasSmallLetters)) return false;
  let from = at - 1;
  while (isPlain(from) || determiners.has(question.word(from))) from--;
  const isOwn = owners.has(question.word(from));
  if (!isOwn && governors.has(question.word(from))) return false;
  if (!isOwn && qualifies(question, at + 1)) return false;
  const clause = question.clauseAround(at);
  return !question.tokens.some(
    (_, place) => place >= clause.from && place < at && conditionals.has(question.word(place)),
  );
}

/** "Have i burned", "would that have printed": a verb that no question has. */
const isDeed = (question: Question, at: number): boolean =>
  subjects.has(question.word(at - 1)) &&
  question.word(at) !== 'not' &&
  !ofRules.has(question.word(at)) &&
  !operators.has(question.word(at));
const subjects = wordSet('left-words', 'subjects');

/** "Every asset". */
const isOfAll = (question: Question, at: number): boolean =>
  ['every', 'each'].includes(question.word(at)) &&
  joinSynonyms([termOf(question.word(at + 1))])[0] === 'coin';

/** "Entry price 3100". */
const isOfPrice = (question: Question, at: number): boolean =>
  ['price', 'level'].includes(question.word(at)) &&
  ['entry', 'stop', 'target'].includes(question.slotAt(at + 1) ?? '');

/** Whether a word there may be what the word before it tells apart. */
const qualifies = (question: Question, at: number): boolean => {
  const slot = question.slotAt(at);
  return slot === undefined
    ? question.word(at) !== '' && !fillers.has(question.word(at)) && !isOrdinaryWord(question.word(at))
    : slot !== 'interval' && slot !== 'date' && slot !== 'isToday';
};

/** Words whose object may be a condition, a place or a kind: "in winter", "only", "without". */
const governors = wordSet('left-words', 'governors');
const owners = new Set(['my', 'your', 'his', 'her', 'our', 'their', 'this', 'these']);

const sortedLetters = (word: string): string => word.charAt(0) + [...word].sort().join('');
const swapped = new Set([...fillers].map(sortedLetters));
const determiners = new Set(['the', 'a', 'an', 'me', 'us', 'my', 'all', 'some', 'every']);

/** A word that is common, and the asset that is asked about: "link". */
const isNamed = (question: Question, at: number, args: ReadQuestion['args']): boolean =>
  question.candidates.some(
    (symbol) => symbol.toLowerCase() === question.word(at) && JSON.stringify(args).includes(`"${symbol}"`),
  );

/** "Over the last 30 days": a preposition belongs to the slot behind it. */
const isBeforeSlot = (question: Question, at: number): boolean =>
  prepositions.has(question.word(at)) &&
  (question.slotAt(at + 1) !== undefined ||
    (prepositions.has(question.word(at + 1)) && question.slotAt(at + 2) !== undefined));

/** "Seasonality of SOL when BTC falls": what is asked of one asset, while another one does something. */
function joinsAssets(question: Question, at: number): boolean {
  const isAsset = (place: number) => question.slotAt(place) === 'asset';
  const places = [...question.tokens.keys()];
  return (
    places.some((place) => place < at && isAsset(place)) &&
    places.some((place) => place > at && isAsset(place))
  );
}

/** "Yo", "ma": what is shorter and no word says nothing. */
const longestGrunt = 2;
/** "Every Friday": a day that comes again is no date. */
const repeats = new Set(['every', 'each']);
/** Of several assets that are read side by side these words ask no more. */
const comparing = new Set(['compare', 'compared', 'comparing', 'comparison', 'against', 'versus', 'vs']);
const conditionals = wordSet('left-words', 'conditionals');
const prepositions = wordSet('left-words', 'prepositions');

/** The name of a strategy that is asked for and not known here; undefined where one is known, or none is named. */
export function unknownStrategy(read: ReadQuestion): string | undefined {
  const { question, intent } = read;
  if (!ruleTools.has(intent.tool!)) return undefined;
  const left = stretches(question, (at) => isNameOfRule(read, at));
  if (left.length === 0) return undefined;
  const known = question.slots.strategies ?? [];
  if (known.length === 0) return wholeName(read);
  return undefined;
}

/** From the first to the last word that may belong to the name, with the words beside it: "three bar play". */
function wholeName(read: ReadQuestion): string {
  const { question } = read;
  const places = [...question.tokens.keys()].filter((at) => isNameOfRule(read, at));
  const isBeside = (at: number) =>
    (question.isFree(at) || besides.has(question.slotAt(at) ?? '')) &&
    question.tokens[at].kind !== 'mark' &&
    !functionWords.has(question.word(at));
  let [from, to] = [places[0], places.at(-1)! + 1];
  while (isBeside(from - 1)) from--;
  while (to < question.tokens.length && isBeside(to)) to++;
  return question.written(from, Math.min(to, from + longestName));
}

/** Slots that a name of a rule may hold: "buying every Monday", "hodl till 2x". */
const besides = wordSet('left-words', 'besides');
const longestName = 12;
/** Numbers that are read for other intents: "max 3 trades a day". */
const ofCounts = wordSet('left-words', 'ofCounts');

const isPartOfRule = (text: string): boolean => text.split(' ').some((word) => ofRules.has(word));

/** Whether the tool of an intent tells it: "and report Sharpe and maximum drawdown". */
const isTold = (question: Question, at: number, intent: Intent): boolean =>
  question.termsAt(at).some((term) => contentOf(aboutOf(intent)).includes(term));

/** Whether a token may belong to the name of a rule: any word that does not stand around tests. */
function isNameOfRule({ question, intent, args }: ReadQuestion, at: number): boolean {
  const { kind } = question.tokens[at];
  if (isForeign(question, at)) return kind !== 'mark';
  if (!question.isFree(at) || isNamed(question, at, args)) return false;
  if (kind === 'number') return question.tokens[at].unit !== '' || question.tokens[at].value! > 0;
  const word = question.word(at);
  return (
    kind === 'word' &&
    !aroundTests.has(word) &&
    !isDeed(question, at) &&
    !isTold(question, at, intent) &&
    intent.says?.has(word) !== true &&
    !(question.slots.strategies !== undefined && isSpoken(question, at))
  );
}

/**
 * What is left of a question after all readers: words and numbers with units that no phrase of the intent has, and values of slots
 * that it does not use. Of a rule also its parts, which strategies here do not have.
 */
export function leftWords(read: ReadQuestion): string[] {
  const { question, intent, args } = read;
  const said = new Set((JSON.stringify(args).match(/\d+(?:\.\d+)?/g) ?? []).map(Number));
  const isSaid = (at: number) => said.has(question.tokens[at].value ?? NaN);
  if (!ruleTools.has(intent.tool!))
    return stretches(question, (at) => !isSaid(at) && isResidue(question, at, read));
  if ((question.slots.strategies ?? []).length === 0) return [];
  const used = usedSlots(intent);
  const isUnused = (at: number) => {
    const slot = question.slotAt(at);
    return slot !== undefined && ofCounts.has(slot) && !used.has(slot as SlotName);
  };
  return stretches(
    question,
    (at) => isUnused(at) || isNameOfRule(read, at) || (question.isFree(at) && isResidue(question, at, read)),
  ).filter(
    (each) =>
      isPartOfRule(each.toLowerCase()) ||
      /\d/.test(each) ||
      each.split(' ').some((word) => !aroundTests.has(word.toLowerCase())),
  );
}
