import { strategies } from '../../../compute/strategies/index.js';
import type { ToolOutcome } from '../toolbox.js';
import { fillTemplate } from './answer-template.js';
import { writeMoment } from './format.js';
import type { Asked } from './asked/asked.js';
import type { Intent } from './intent.js';
import type { Slots } from './slots.js';
import { dataFile } from './data-file.js';
import { glossaryTerms } from './glossary-terms.js';
import { intentsOf } from './intents.js';

/** Words that people ask about most: what they mean, and what to do with them. */
const definitions = dataFile<Record<string, string>>('definitions');

/** What a word of the field means, in a sentence or two. */
function definitionText({ term = '' }: Slots): string {
  const meaning = definitions[term] ?? glossaryTerms[term] ?? 'this word is not in the glossary.';
  return `${term.charAt(0).toUpperCase()}${term.slice(1).replaceAll('_', ' ')}: ${meaning}`;
}

/** What can be asked: what the intents are about, each topic once. */
function helpText(): string {
  const topicsOf = (intents: readonly Intent[]): string =>
    [...new Set(intents.flatMap(({ topic }) => topic ?? []))].join(', ');
  return [
    'I answer questions about crypto markets from the data of this service.',
    `About the market: ${topicsOf(intentsOf.market)}.`,
    `For plans: ${topicsOf(intentsOf.planning)}.`,
    `Signed in, about your account: ${topicsOf(intentsOf.account)}.`,
    'For example: "why did BTC flip on 4h?", "coins with RSI below 30", or "backtest EMA cross on ETH over 6 months".',
  ].join(' ');
}

type Answer = Extract<ToolOutcome, { ok: true }>;

/**
 * The answer of a tool as text: the sentences of the intent, of which `{headline}` is the tool's own, then caveats about the data,
 * and `as of` last. Sentences that lack a value are left out; without the first one the tool's headline stands there.
 */
export function intentAnswer({ answer, yes }: Intent, outcome: Answer, slots: Slots, asked?: Asked): string {
  const headline = plainHeadline(outcome.headline);
  const filled = answer.map((template) =>
    template === '{headline}' ? headline : fillTemplate(template, outcome.payload, slots, asked?.choose),
  );
  const [lead, ...others] = filled;
  const told = new Set([lead ?? headline, ...others].filter((each) => each !== null));
  const templates = answer.filter((_, n) => filled[n] !== null);
  const verdict = asked?.verdict(yes, outcome.payload, slots) ?? [];
  const text = [...verdict, ...told].join(' ');
  const sentences = [
    ...verdict,
    ...told,
    ...(asked?.tell(outcome.payload, text, templates) ?? []),
    ...dataCaveats(outcome),
    `As of ${writeMoment(outcome.asOf)}.`,
  ];
  const sentence = sentences.flatMap((each) => (each === '' ? [] : asSentence(each))).join(' ');
  return sentence.replace(
    /(?<![\d.,])1 (candle|trade|asset|buy|time|case|return|day|period|signal)s\b/g,
    '1 $1',
  );
}

const asSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!:]$/.test(text) ? '' : '.'}`;

/** What a note says of all that follows: "On 1h:", "Over 1y:". */
const leadOf = /[.;] ((?:on|over|with|long|by)\b[^.:;]*):$/i;

/** Notes as sentences before an answer, and what they say of it once and next to it: not at all where it begins so itself. */
export function behindNotes(notes: readonly string[], answer: string): string {
  const leads = [...new Set(notes.flatMap((note) => leadOf.exec(note)?.[1] ?? []))]
    .filter((lead) => !answer.startsWith(lead))
    .map((lead) => `${lead}:`);
  const sentences = notes.map((note, n) =>
    asSentence(
      note.replace(leadOf, '.').replace(/:$/, n < notes.length - 1 ? '.' : leads.length > 0 ? '.' : ':'),
    ),
  );
  return [...sentences, ...leads.map(asSentence), answer].filter(Boolean).join(' ');
}

/** The answer of an intent without a tool. */
export function asideText({ name, answer }: Intent, slots: Slots): string {
  if (name === 'help') return helpText();
  if (name === 'definition') return definitionText(slots);
  return answer.map((template) => fillTemplate(template, {}, slots) ?? '').join(' ');
}

function dataCaveats({ isStale, source }: Answer): string[] {
  return [
    ...(isStale ? ['Newer data should be there by now, so this may be out of date.'] : []),
    ...(source === 'demo' ? ['These are demo data, generated and not of a real market.'] : []),
  ];
}

const titles = new Map<string, string>(strategies.map(({ name, title }) => [name, title]));
/** The name of an argument; one in quotes is a field of the signal that was pasted. */
const argument = /(?<!")\b[a-z]+(?:_[a-z\d]+)+\b/;

/** A headline for people: without names of tools and arguments, which are for the programs that read it as well. */
function plainHeadline(headline: string): string {
  const titled = headline
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => titles.get(name) ?? name)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => writeMoment(time))
    .replace(/\d+\.\d{5,}(?:e-\d+)?/g, (number) =>
      String(Number(number) < 1e-9 ? 0 : Number(Number(number).toPrecision(6))),
    )
    .replace(/^0 closed (\w+) candles of ([^\s.;]+)/, 'No $1 candles of $2 are kept for this time')
    .replace(/^The user follows/, 'You follow')
    .replace("the user's own", 'your own');
  const sentences = titled.split(/(?<=[.!?]) (?=[A-Z])/);
  return sentences
    .filter((sentence) => !/^(?:Stored as|Pass)/.test(sentence))
    .map((sentence) => (argument.test(sentence) ? withoutClauses(sentence) : sentence))
    .filter((sentence) => sentence !== '.')
    .join(' ');
}

const withoutClauses = (sentence: string): string =>
  `${sentence
    .replace(/\.$/, '')
    .split(/(?=[;,] )/)
    .filter((clause) => !argument.test(clause))
    .join('')}.`;
