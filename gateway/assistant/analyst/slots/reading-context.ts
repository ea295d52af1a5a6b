import type { AssetWords } from './asset-words.js';

/** The facts that readers use beside the question. */
export interface ReadingContext {
  assets: AssetWords;
  /** The present time in ms. */
  nowMs: number;
  /** Whether a word belongs to the grammar. */
  isKnownWord: (word: string) => boolean;
}
