/** A piece of a question. */
export interface Token {
  kind: 'word' | 'number' | 'mark' | 'id' | 'slot' | 'object';
  /** In small letters, corrected; the name of the slot for `slot`; empty for a pasted `object`. */
  text: string;
  /** As it was written. */
  raw: string;
  /** The value of a number, with "k" and the like counted in. */
  value?: number;
  /** What stands beside a number: "$", "%", "x", or the letters of a span of time. */
  unit?: string;
  /** Written with a dollar sign before a word, as symbols are: "$link". */
  isCashtag?: boolean;
  /** An asset that only the story around the question names. */
  isCarried?: boolean;
  /** Joined to the token before it, without a blank. */
  isJoined?: boolean;
  /** Written with an apostrophe and an s: "Bob's". */
  isPossessive?: boolean;
  /** Changed by the correction of spelling. */
  isCorrected?: boolean;
  /** Neither a word of the grammar nor of ordinary English, nor near one of them. */
  isStrange?: boolean;
}

export const wordToken = (text: string, raw = text): Token => ({ kind: 'word', text, raw });
