import type { Intent } from '../intent.js';
import { AssetWords } from '../slots/asset-words.js';
import type { Question } from '../slots/question.js';
import type { SlotName, Slots } from '../slots.js';
import { readQuestion, readRulesQuestion } from '../slots/readers.js';
import { scanTokens } from '../text/scan-tokens.js';
import type { Token } from '../text/token.js';
import { Vocabulary } from '../vocabulary/vocabulary.js';
import { PhraseIndex, type IntentScore } from './phrase-index.js';
import { whoseAccount, whoseFit } from './personal.js';
import { noteSlots, slotFit } from './slot-fit.js';
import { isAboutTest, testFit } from './test-cue.js';

/** What the index needs of a phrase: its terms, and the slots that it names. */
export interface ReadPhrase {
  terms: string[];
  slots: SlotName[];
}

/** Reads questions and finds the intents that they fit. */
export class Recogniser {
  readonly #vocabulary: Vocabulary;
  #assets: AssetWords;
  #index: PhraseIndex;
  #symbols: readonly string[] = [];

  private constructor(intents: readonly Intent[]) {
    this.#assets = new AssetWords();
    this.#vocabulary = new Vocabulary(
      intents.flatMap(({ phrases }) => phrases),
      this.#assets.words,
      (word) => this.#isName(word),
    );
    this.#index = new PhraseIndex([], []);
  }

  /**
   * Makes one of the phrases of all intents, which takes two seconds, or a quarter of that where the phrases were read before: in steps,
   * so that other work can be done between them.
   */
  static *make(
    intents: readonly Intent[],
    readBefore?: readonly ReadPhrase[][],
  ): Generator<ReadPhrase[][], Recogniser> {
    const made = new Recogniser(intents);
    const read: ReadPhrase[][] = [];
    for (const [n, intent] of intents.entries()) {
      if (!readBefore) yield read;
      read.push(readBefore?.[n] ?? intent.phrases.map((phrase) => made.#readPhrase(phrase)));
      for (const { slots } of read[n]) noteSlots(intent, slots);
    }
    yield read;
    made.#index = new PhraseIndex(
      intents,
      read.map((phrases) => phrases.map(({ terms }) => terms)),
    );
    return made;
  }

  get index(): PhraseIndex {
    return this.#index;
  }

  #readPhrase(phrase: string): ReadPhrase {
    const question = this.read(scanTokens(phrase, { withSlots: true }), 0, phrase);
    const slots = Object.keys(question.slots) as SlotName[];
    return {
      terms: question.namesAsset ? [...question.terms()] : pointed(question.terms()),
      slots: slots.filter((slot) => slot !== 'scanSort'),
    };
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

  /** The rules that a text describes: conditions with their places, and asset, day and interval as slots. */
  readRules(tokens: readonly Token[], nowMs: number) {
    const isKnownWord = (word: string) => this.#vocabulary.isKnown(word);
    return readRulesQuestion(tokens, { assets: this.#assets, nowMs, isKnownWord });
  }

  /** The intents by how far the question fits them, the best first. `before`: the slots of the conversation. */
  rank(question: Question, before: Slots = {}): IntentScore[] {
    const isPointing = question.slots.asset === undefined && (before.asset !== undefined || isEmpty(before));
    const terms = isPointing ? pointed(question.terms()) : question.terms();
    const whose = whoseAccount(question);
    const isTest = isAboutTest(question);
    return this.index
      .rank(terms)
      .filter(({ intent }, n) => n < 15 || (isTest && intent.tool === 'run_backtest'))
      .map(({ intent, score }) => ({ intent, score: score * slotFit(intent, question.slots, before) }))
      .map(({ intent, score }) => ({
        intent,
        score:
          score * whoseFit(intent, whose) * declineFit(intent, score) * testFit(intent, question, isTest),
      }))
      .sort((a, b) => b.score - a.score);
  }
}

/** A decline needs a clearer question than an answer does: "people say that it is dead" is no injection. */
const certain = 0.45;
const declineFit = ({ declines }: Intent, score: number): number =>
  declines === undefined || score >= certain ? 1 : declines === 'action' ? 0.8 : 0.7;

/** "It" stands for an asset where none is named, if the conversation is about one. */
const pointers = new Set(['it', 'its', 'that', 'this']);
const asAsset = (term: string): string => (pointers.has(term) ? '{asset}' : term);
/** The terms with the words that point at an asset as one; a question that begins with one begins with an asset. */
const pointed = (terms: readonly string[]): string[] =>
  terms.filter((term) => !(term.startsWith('^') && pointers.has(term.slice(1)))).map(asAsset);
const isEmpty = (slots: Slots): boolean => Object.keys(slots).length === 0;
