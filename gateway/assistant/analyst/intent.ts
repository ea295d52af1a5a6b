import type { SlotName, Slots } from './slots.js';

/** An answer in prose. Each part is one sentence or a few; figures in it come from the payload or from the question. */
export interface Prose {
  /** The answer itself. */
  lead: string;
  /** The two or three figures that carry it. */
  figures?: readonly string[];
  /** The caveat that matters most here. */
  caveat?: string;
  /** What could be asked next. */
  next?: string;
  /** Set if the answer holds no market data. Caveats about the source and age of data are then left out. */
  isWithoutData?: true;
}

/** Kinds of questions that are not answered. */
export type DeclinedKind =
  | 'advice'
  | 'prediction'
  | 'other-account'
  | 'action'
  | 'off-topic'
  | 'injection'
  | 'secret'
  | 'sign-in';

/** A kind of question, as data: its phrases, the slots that it needs, the tool that answers it, and the text of the answer. */
export interface Intent {
  /** In kebab-case; unique. */
  name: string;
  /** What it answers, as the help lists it: "the trend state of an asset". */
  title: string;
  /** What it is about in a few words, as the help names it; several intents may share one. Without a tool there is none. */
  topic?: string;
  /** A name of the tool catalogue; null where no tool is needed. */
  tool: string | null;
  /** Ways to ask, with slots in braces: "what is the trend of {asset} on {interval}". At least six that differ in their words. */
  phrases: readonly string[];
  /** Slots that the answer requires, each with the short question that asks for it. */
  needs: Partial<Record<SlotName, string>>;
  /** Further slots it understands. */
  takes: readonly SlotName[];
  /** Names of the intents that win over this one if both fit about equally well. */
  yields?: readonly string[];
  /** The name of the intent that answers "why?" after this one. */
  why?: string;
  /** A slot that replaces all needed slots: a whole signal. */
  whole?: SlotName;
  /** The least and the most assets of the question, if that distinguishes it from another intent. */
  assetCount?: readonly [least: number, most: number];
  /** The kind of question that it declines. Such an intent has no tool. */
  declines?: DeclinedKind;
  /** The name of the intent that is answered beside a declined question that names an asset. */
  instead?: string;
  /** Slots that later questions of the conversation may need, from the payload: the id of a backtest. */
  remembers?: (payload: object) => Slots;
  /** The arguments of the tool, by the catalogue's names. */
  args: (slots: Slots) => Record<string, unknown>;
  /** The answer from the tool's payload; an empty payload where there is no tool. */
  answer: (payload: object, slots: Slots) => Prose;
}

interface IntentDescription<Payload extends object> extends Omit<Intent, 'answer' | 'remembers'> {
  remembers?: (payload: Payload) => Slots;
  answer: (payload: Payload, slots: Slots) => Prose;
}

/** Checks the types of a description. `Payload` is the output of the tool's operation. */
export const defineIntent = <Payload extends object>(description: IntentDescription<Payload>): Intent =>
  // The payload comes from the operation of the tool that the description names.
  description as Intent;
