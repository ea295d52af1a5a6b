import type { Intent } from './intent.js';
import type { SlotName, Slots } from './slots.js';

/** What the analyst remembers of a conversation: plain JSON of at most 4 KB. */
export interface AnalystState {
  /** The name of the intent that was answered last. */
  intent?: string;
  /** The slots of the last answer. */
  slots?: Slots;
  /** The figures that the last question asked for by name, as paths in the output of its tool. */
  fields?: readonly string[];
  /** The assets that the last questions named, the latest last. */
  recentAssets?: readonly string[];
  /** The question that waits for a slot, after the analyst has asked for it. */
  pending?: { intent: string; slot: SlotName; slots: Slots };
  /** The test of rules that was described last: the arguments of its tool, and whether it waits for a "yes". */
  rules?: { args: Record<string, unknown>; isOpen: boolean };
}

/** A recognised question, from which the state is made. */
interface AnsweredQuestion {
  intent: Intent;
  slots: Slots;
  like?: Intent;
  missing?: SlotName;
}

/**
 * The state after the questions of a message. Follow-ups refer to the last question that has a tool. A question that lacks a slot
 * is kept as pending. `remembered`: slots from the answer, for later questions. `fields`: what the question asked for by name.
 */
export function stateAfter(
  { intent, slots, recentAssets: known = [] }: AnalystState,
  questions: readonly AnsweredQuestion[],
  remembered: Slots = {},
  fields: readonly string[] = [],
): AnalystState {
  const last = questions
    .toSorted((one, other) => Number(other.like !== undefined) - Number(one.like !== undefined))
    .map((each) => ({ ...each, intent: each.like ?? each.intent }))
    .findLast((each) => each.intent.tool !== null && each.missing === undefined);
  const open = questions.find(({ missing }) => missing !== undefined);
  const before = { ...(intent === undefined ? {} : { intent }), ...(slots === undefined ? {} : { slots }) };
  const recentAssets = recentOf(known, questions);
  const reached = {
    ...(last ? { intent: last.intent.name, slots: { ...last.slots, ...remembered } } : before),
    ...(recentAssets.length === 0 ? {} : { recentAssets }),
    ...(fields.length === 0 ? {} : { fields }),
  };
  if (open?.missing === undefined) return boundedState(reached);
  return boundedState({
    ...reached,
    pending: { intent: open.intent.name, slot: open.missing, slots: open.slots },
  });
}

const mostRecent = 4;

/** The assets that were named lately, each once, the latest last. */
export function recentOf(before: readonly string[], questions: readonly AnsweredQuestion[]): string[] {
  const named = questions.flatMap(
    ({ slots: { asset, assets } }) => assets ?? (asset === undefined ? [] : [asset]),
  );
  const kept = before.filter((each) => !named.includes(each));
  return [...kept, ...new Set(named)].slice(-mostRecent);
}

const largestState = 4_096;

/** The state; if it is too large, only with its main slots. */
function boundedState(state: AnalystState): AnalystState {
  if (Buffer.byteLength(JSON.stringify(state)) <= largestState) return state;
  const { asset, interval, period, side } = state.slots ?? {};
  const kept = Object.fromEntries(
    Object.entries({ asset, interval, period, side }).filter(([, value]) => value !== undefined),
  );
  return { ...(state.intent === undefined ? {} : { intent: state.intent }), slots: kept };
}
