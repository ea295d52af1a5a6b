/** What a question can name that no tool may serve. */
export type HeardKind = 'interval' | 'time' | 'noDate' | 'side' | 'leverage' | 'subject' | 'currency';

/** Something that a question names, as it is written there, served or not. */
export interface Heard {
  kind: HeardKind;
  /** The words of the question. */
  heard: string;
  /** What it stands for here, where it stands for something near it: 1h for 15m. */
  value?: string;
  /** Why it can't be served, as a sentence. */
  why?: string;
}
