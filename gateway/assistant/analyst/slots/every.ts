import { wordSet, wordTable } from '../word-list.js';
import { allowedValues, listed } from '../heard/served-values.js';
import type { Question } from './question.js';
import type { SlotName, Slots } from '../slots.js';

const words: Readonly<Record<string, NonNullable<Slots['every']>>> = wordTable('every', 'words');
/** Follow-up questions have at most so many words. */
const mostTokens = 4;
const adverbs = new Set(['daily', 'weekly', 'monthly']);
const cues = new Set(['every', 'each', 'per', 'once']);
/** Who does these does them again and again: "buy daily"; behind an asset "daily" is said of its chart. */
const deeds = wordSet('every', 'deeds');

/** Reads how often something is repeated: "every week", "monthly", "$50 a week". */
export function readEvery(question: Question): void {
  const isDeed = question.tokens.some(({ kind, unit }, at) =>
    kind === 'number'
      ? unit === '$' || cues.has(question.word(at + 1))
      : deeds.has(question.word(at)) || moneyWords.has(question.word(at)),
  );
  if (isDeed) hearRhythm(question);
  question.tokens.forEach(({ kind, unit, value }, at) => {
    if (!question.isFree(at)) return;
    const ofNumber =
      kind === 'number' && value === 1 ? (unit === '' ? question.word(at + 1) : unit) : undefined;
    const word = ofNumber ?? question.word(at);
    if (word === undefined || !Object.hasOwn(words, word)) return;
    const followsAmount = at > 0 && question.tokens[at - 1].kind === 'number';
    const before = question.word(at - 1);
    const isArticle = articles.has(question.tokens[at].raw.toLowerCase());
    const isRate =
      (articles.has(before) && isSum(question, at - 2)) ||
      (ofNumber !== undefined && unit === '' && moneyWords.has(before));
    if (!adverbs.has(word) && !cues.has(before) && !(followsAmount && (isDeed || isArticle)) && !isRate)
      return;
    if (adverbs.has(word) && !(isDeed || followsAmount)) {
      // "And monthly?" changes how often something is bought; "and daily?" may be about the chart.
      if (
        word === 'daily' ||
        question.tokens.length > mostTokens ||
        question.namesAsset ||
        isOfChart(question, at)
      )
        return;
      question.slots.every ??= words[word];
      question.take('every', at, at + 1);
      return;
    }
    if (adverbs.has(word) && (isOfChart(question, at) || isOfRule(question))) return;
    // "10 day" and "a month of data" are spans; "$50 a month" is a repetition.
    if (followsAmount && !adverbs.has(word) && !cues.has(before) && ofNumber === undefined) return;
    question.slots.every ??= words[word];
    question.take('every', at, at + (ofNumber !== undefined && unit === '' ? 2 : 1));
  });
}

/** "Every fortnight", "each hour", "every 3 days": how often nothing can be bought here. */
function hearRhythm(question: Question): void {
  const isSpan = (at: number) =>
    [question.word(at), question.tokens[at]?.unit ?? ''].some((each) => spans.has(each));
  const hasSum = question.tokens.some((_, at) => question.number(at) !== undefined && !isSpan(at));
  question.tokens.forEach(({ kind, value = 1, unit }, at) => {
    const cue = question.word(at - 1) === 'single' ? at - 2 : at - 1;
    const isCued = cues.has(question.word(cue));
    const isSeveral = kind === 'number' ? value > 1 && unit !== '$' : others.has(question.word(at));
    const to = isCued && isSeveral && !isSpan(at) && isSpan(at + 1) ? at + 2 : at + 1;
    const isRare =
      (rhythms.has(question.word(at)) &&
        !isOfChart(question, at) &&
        (isCued || question.word(at).endsWith('ly'))) ||
      (hasSum && new RegExp(`^[a-z]+day${isCued ? 's?' : 's'}$`).test(question.word(at)) && !isSpan(at));
    if (!isRare && !(isCued && isSeveral && isSpan(to - 1))) return;
    const from = isCued ? cue : at;
    const said = question.written(from, to);
    const allowed = allowedValues('simulate_recurring_buy', 'every');
    const nearest = /hour|minute/.test(said) ? 'day' : /fortnight|week|day/.test(said) ? 'week' : 'month';
    const why = `Buys ${said} can't be reckoned here, only by ${listed(allowed, 'or')}. By ${nearest}:`;
    question.heard.push({ kind: 'beside', heard: said, why });
    question.slots.every ??= nearest;
    question.take('every', from, to);
  });
}
const others = new Set(['other', 'second', 'third']);
const spans = new Set('hour hours day days week weeks month months year years minute minutes'.split(' '));
const rhythms = wordSet('every', 'rhythms');

const articles = new Set(['a', 'an']);
const moneyWords = wordSet('every', 'moneyWords');

/** "50 dollars a day", "$20 a week". */
const isSum = (question: Question, at: number): boolean =>
  moneyWords.has(question.word(at)) ||
  question.tokens[at]?.kind === 'number' ||
  (question.slotAt(at) === 'asset' &&
    [at - 1, at - 2, at - 3].some((place) => question.tokens[place]?.kind === 'number'));

/** "Donchian on ADA daily": the chart of a rule; holding is compared with buying again and again. */
const isOfRule = ({ slots: { strategy } }: Question): boolean =>
  strategy !== undefined && strategy !== 'buy_and_hold';

const isOfChart = (question: Question, at: number): boolean =>
  chartWords.has(question.word(at + 1)) || ['on', 'the'].includes(question.word(at - 1));
const chartWords = wordSet('every', 'chartWords');

/** "RSI under 30 daily", "now weekly": how often is said of the chart where nothing is repeated. */
export function asInterval(question: Question, used: ReadonlySet<SlotName>): void {
  const { slots, heard } = question;
  const { every } = slots;
  const { length } = question.tokens;
  const isOfChart = length <= mostTokens || question.tokens.some((_, at) => adverbs.has(question.word(at)));
  if (every === undefined || !isOfChart || used.has('every') || !used.has('interval')) return;
  delete slots.every;
  slots.interval ??= '1d';
  if (every !== 'day') heard.push({ kind: 'interval', heard: `${every}ly`, value: '1d' });
}
