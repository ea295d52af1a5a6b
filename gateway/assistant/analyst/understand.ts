import { ruleTools } from './recognition/test-cue.js';
import { recentOf, type AnalystState } from './analyst-state.js';
import { clearQuestions, partsAsked } from './recognition/cut-message.js';
import { MessageParts } from './recognition/message-parts.js';
import { askedQuestion, type AskedQuestion, type UnclearQuestion } from './recognition/asked-question.js';
import { recogniser } from './recognition/default-recogniser.js';
import { namesStrategy } from './slots/strategy.js';
import { usedSlots } from './recognition/slot-fit.js';
import { withoutDenied } from './recognition/without-denied.js';
import { withoutTalk } from './recognition/without-talk.js';
import type { Token } from './text/token.js';

/** What a message asks. */
export interface Understanding {
  /** One to five questions; none where nothing was understood. */
  questions: AskedQuestion[];
  /** Why no question was found: only blanks, a script other than Latin, or another subject than markets and accounts. */
  unclear?: 'empty' | 'other-script' | UnclearQuestion['unclear'];
  /** What the question that was not found is most like. */
  nearest?: AskedQuestion | undefined;
}

/** Further facts for understanding a message. */
export interface UnderstandingOptions {
  /** The symbols of the market that is served. */
  symbols?: readonly string[];
  /** The exchanges that can be connected. */
  exchanges?: readonly string[];
  nowMs: number;
}

/** Understands a message in its conversation: which intents with which slots. Synchronous, and bounded for any text. */
export function understand(
  message: string,
  state: AnalystState,
  options: UnderstandingOptions,
): Understanding {
  if (isOtherScript(message)) return { questions: [], unclear: 'other-script' };
  const known = recogniser();
  if (options.symbols) known.knowSymbols(options.symbols);
  const written = known.tokens(message);
  if (written.every(({ kind }) => kind === 'mark')) return { questions: [], unclear: 'empty' };
  const parts = new MessageParts(known, options.nowMs, message);
  const meant = withoutDenied(written, parts);
  const tokens = withoutTalk(meant, parts);
  const questions: AskedQuestion[] = [];
  let unclear: UnclearQuestion | undefined;
  let reached = state;
  for (const part of partsAsked(tokens, parts)) {
    for (const read of askedIn(part, reached, parts)) {
      if ('unclear' in read) {
        unclear ??= read;
        continue;
      }
      questions.push(read);
      if (read.intent.tool !== null)
        reached = {
          intent: read.intent.name,
          slots: read.slots,
          recentAssets: recentOf(state.recentAssets ?? [], questions),
        };
    }
  }
  const tested = questions.some(({ slots }) => slots.strategy !== undefined)
    ? undefined
    : testIn(meant, state, parts);
  if (tested) questions.splice(0, questions.length, tested);
  if (questions.length === 0) return { questions, unclear: 'vague', ...unclear };
  return { questions: withoutAsides(distinct(shareAssets(questions))) };
}

/**
 * The question of a part; where it is none as a whole, is about something that is not here, or is declined, with the clear questions
 * in it.
 */
function askedIn(
  part: readonly Token[],
  state: AnalystState,
  parts: MessageParts,
): (AskedQuestion | UnclearQuestion)[] {
  const whole = askedQuestion(part, state, parts);
  const isUnclear = 'unclear' in whole || whole.missing !== undefined;
  const isDeclined = 'intent' in whole && whole.intent.declines === 'action';
  const isNotHere = 'intent' in whole && whole.intent.name === 'not-here';
  if (isUnclear ? part.length < leastOfTalk : !isDeclined && !isNotHere) return [whole];
  const { clear: stretches, rest } = clearQuestions(part, parts, isDeclined);
  const read = stretches
    .map((stretch) => askedQuestion(stretch, state, parts))
    .filter((each): each is AskedQuestion => !('unclear' in each));
  const isOpen =
    isUnclear &&
    read.some(({ intent, missing }) => 'intent' in whole && missing !== undefined && intent === whole.intent);
  const clear = read.filter(({ missing }) => !isUnclear || missing === undefined);
  if (clear.length === 0 || isOpen) return [whole];
  if (isNotHere) return [whole, ...clear];
  const left = parts.read(rest);
  if (isDeclined) return [{ ...whole, question: left }, ...clear];
  // A currency or a form of the answer that is not here is named, wherever it stands.
  clear[0].question.heard.push(...left.heard.filter(({ kind }) => kind === 'beside'));
  return clear;
}

/** A message that names a strategy is one question of a test where none of its parts is: "ema_cross with defaults on ETH, 1y, total return". */
function testIn(
  tokens: readonly Token[],
  state: AnalystState,
  parts: MessageParts,
): AskedQuestion | undefined {
  if (!namesStrategy(parts.read(tokens))) return undefined;
  const whole = askedQuestion(tokens, state, parts);
  return !('unclear' in whole) && ruleTools.has(whole.intent.tool!) ? whole : undefined;
}

/** A question with fewer words is no story: what is not understood of it is the question. */
const leastOfTalk = 16;

/**
 * Two sentences may ask the same: "is it volatile? how much does it swing?" is answered once, and "levels of SOL? only the top
 * 3" with the slots of both.
 */
function distinct(questions: readonly AskedQuestion[]): AskedQuestion[] {
  const kept: AskedQuestion[] = [];
  for (const question of questions) {
    const at = kept.findIndex((each) => agree(each, question));
    if (at === -1) kept.push(question);
    else kept[at] = merged(kept[at], question);
  }
  return kept;
}

/** Whether two questions have one intent and no slot with two values. */
function agree(one: AskedQuestion, other: AskedQuestion): boolean {
  const own: Readonly<Record<string, unknown>> = { ...one.slots };
  return (
    one.intent === other.intent &&
    Object.entries(other.slots).every(
      ([slot, value]) => own[slot] === undefined || JSON.stringify(own[slot]) === JSON.stringify(value),
    )
  );
}

function merged(one: AskedQuestion, other: AskedQuestion): AskedQuestion {
  const slots = { ...one.slots, ...other.slots };
  other.question.heard.push(...one.question.heard);
  const open = [one, other].every(({ missing }) => missing !== undefined) ? one.missing : undefined;
  const both = { intent: one.intent, question: other.question, slots };
  return open === undefined ? both : { ...both, missing: open };
}

/** Drops a greeting beside a question, and a part that lacks an asset beside a question about an id. */
function withoutAsides(questions: readonly AskedQuestion[]): AskedQuestion[] {
  const known = questions.filter(({ intent }) => intent.name !== 'help');
  if (known.length === 0) return [...questions];
  const isAboutId = known.some(({ slots, missing }) => slots.id !== undefined && missing === undefined);
  // "... and why", "..., quick": a word or two that ask for nothing.
  const isAside = ({ question, missing }: AskedQuestion) =>
    missing !== undefined && question.tokens.length <= mostOfAside;
  const others = known.filter((each) => !(isAboutId && each.missing === 'asset') && !isAside(each));
  return others.length > 0 ? others : known;
}
const mostOfAside = 2;

/** In "trend and levels of BTC on 4h" asset and interval are named once, for both questions. */
function shareAssets(questions: readonly AskedQuestion[]): AskedQuestion[] {
  const donor = questions.find(({ question }) => question.slots.asset !== undefined);
  return questions.map((asked) => {
    const { missing, question, intent } = asked;
    if (donor === undefined || question.slots.asset !== undefined || !usedSlots(intent).has('asset'))
      return asked;
    const { asset, assets, interval } = donor.question.slots;
    const isShared = interval !== undefined && usedSlots(intent).has('interval');
    const slots = { ...(isShared ? { interval } : {}), ...asked.slots };
    if (missing !== 'asset') return slots.asset === asset ? { ...asked, slots } : asked;
    return { intent, question, slots: { ...slots, asset, assets } as AskedQuestion['slots'] };
  });
}

/** Whether most letters of a text are of a script other than the Latin one. */
function isOtherScript(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return letters > 0 && latin * 2 < letters;
}
