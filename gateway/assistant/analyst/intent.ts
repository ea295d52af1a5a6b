import type { SlotName } from './slots.js';

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
  /** Arguments that the names of slots do not give: fixed values, or "@" and the slot; null for one that is left out. */
  args?: Readonly<Record<string, unknown>>;
  /** A slot that replaces all needed slots: a whole signal. */
  whole?: SlotName;
  /** The least and the most assets of the question, if that distinguishes it from another intent. */
  assetCount?: readonly [least: number, most: number];
  /** The kind of question that it declines. Such an intent has no tool. */
  declines?: DeclinedKind;
  /** The name of the intent that is answered beside a declined question that names an asset. */
  instead?: string;
  /** What decides a question for yes or no, by words of such a question (asked/yes-or-no.ts). */
  yes?: Readonly<Record<string, string>>;
  /** The sentences of the answer, as templates (answer-template.ts). */
  answer: readonly string[];
}
