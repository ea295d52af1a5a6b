import type { Intent } from '../intent.js';
import { AssetWords } from '../slots/asset-words.js';
import type { Question } from '../slots/question.js';
import type { SlotName, Slots } from '../slots.js';
import { readQuestion } from '../slots/readers.js';
import { scanTokens } from '../text/scan-tokens.js';
import type { Token } from '../text/token.js';
import { Vocabulary } from '../vocabulary/vocabulary.js';
import { PhraseIndex, type IntentScore } from './phrase-index.js';
import { isPersonal, personalFit } from './personal.js';
import { noteSlots, slotFit } from './slot-fit.js';

/** Scores that differ by less are a tie, which `yields` decides. */
const tie = 0.06;

/** Reads questions and finds the intents that they fit. Made once: it reads the phrases of all intents. */
export class Recogniser {
  readonly index: PhraseIndex;
  readonly #vocabulary: Vocabulary;
  #assets: AssetWords;
  #symbols: readonly string[] = [];

  constructor(intents: readonly Intent[]) {
    this.#assets = new AssetWords();
    this.#vocabulary = new Vocabulary(
      intents.flatMap(({ phrases }) => phrases),
      this.#assets.words,
      (word) => this.#isName(word),
    );
    this.index = new PhraseIndex(intents, (phrase, intent) => {
      const question = this.read(scanTokens(phrase, { withSlots: true }), 0, phrase);
      noteSlots(
        intent,
        (Object.keys(question.slots) as SlotName[]).filter((slot) => slot !== 'scanSort'),
      );
      return question.namesAsset ? [...question.terms()] : pointed(question.terms());
    });
  }

  /** Lets further symbols be known: those of the market that is served. */
  knowSymbols(symbols: readonly string[]): void {
    const isSame =
      symbols.length === this.#symbols.length && symbols.every((each, n) => each === this.#symbols[n]);
    if (isSame) return;
    this.#symbols = symbols;
    this.#assets = new AssetWords(symbols);
  }

  /** The tokens of a message, misspelt words corrected. */
  tokens(message: string): Token[] {
    return this.#vocabulary.corrected(scanTokens(message), (word) => this.#isName(word));
  }

  #isName(word: string): boolean {
    return this.#assets.symbol(word) !== undefined || this.#assets.named(word) !== undefined;
  }

  /** The slots of a question. `text` is the message as it was written. */
  read(tokens: readonly Token[], nowMs: number, text: string): Question {
    const isKnownWord = (word: string) => this.#vocabulary.isKnown(word);
    return readQuestion(tokens, { assets: this.#assets, nowMs, isKnownWord }, text);
  }

  /** The intents by how far the question fits them, the best first. `before`: the slots of the conversation. */
  rank(question: Question, before: Slots = {}): IntentScore[] {
    const isPointing = question.slots.asset === undefined && (before.asset !== undefined || isEmpty(before));
    const terms = isPointing ? pointed(question.terms()) : question.terms();
    const personal = isPersonal(question);
    const ranked = this.index
      .rank(terms)
      .slice(0, 15)
      .map(({ intent, score }) => ({
        intent,
        score: score * slotFit(intent, question.slots, before) * (personal ? personalFit(intent) : 1),
      }))
      .sort((a, b) => b.score - a.score);
    return settleTies(ranked);
  }
}

/** "It" stands for an asset where none is named, if the conversation is about one. */
const pointers = new Set(['it', 'its', 'that', 'this']);
const asAsset = (term: string): string => (pointers.has(term) ? '{asset}' : term);
/** The terms with the words that point at an asset as one; a question that begins with one begins with an asset. */
const pointed = (terms: readonly string[]): string[] =>
  terms.filter((term) => !(term.startsWith('^') && pointers.has(term.slice(1)))).map(asAsset);
const isEmpty = (slots: Slots): boolean => Object.keys(slots).length === 0;

/** Moves an intent that yields behind the one that it yields to, where both fit about as well. */
function settleTies(ranked: readonly IntentScore[]): IntentScore[] {
  const [first, ...others] = ranked;
  const winner = others.find(
    ({ intent, score }) => first.score - score < tie && first.intent.yields?.includes(intent.name),
  );
  if (winner === undefined) return [...ranked];
  return [winner, first, ...others.filter((each) => each !== winner)];
}
