import { editSteps } from '../../../../compute/model/nearest-names.js';
import { subjectWords } from '../heard/not-here.js';
import { indicators } from '../../../../compute/indicators/index.js';
import { strategies } from '../../../../compute/strategies/index.js';
import { choiceWords } from '../slots/choices.js';
import { exchangeWords } from '../slots/slot-patterns.js';
import { priceCues } from '../slots/prices.js';
import { indicatorWords } from '../slots/indicator-words.js';
import { termWords } from '../slots/term.js';
import { joinNumberWords } from '../text/number-words.js';
import { scanTokens } from '../text/scan-tokens.js';
import type { Token } from '../text/token.js';
import { commonWords, fieldWords, fillerWords, isOrdinaryWord, ordinaryWords, termOf } from './words.js';
import { formsOf, isSlip, sharedStart, Spelling } from './spelling.js';
import { listedWords } from '../word-list.js';
import { synonymWords } from './synonyms.js';

/** The most words of one message that are corrected: more are no question. */
const mostCorrected = 80;

const shortestFull = 3;
/** Shorter words are not corrected to ordinary ones. */
const shortestOrdinary = 5;
const frequent = 20;
/** What only people do or are is seldom a subject: "subbed", "broadening". */
const inflected = /(?:ed|ing|ly|ate)$/;
const withoutVowels = (word: string): string => word.replace(/(?<=.)[aeiou]/g, '');
/** "Wth", "frm": words that say nothing, without their vowels. */
const shorthands = new Map(
  fillerWords.filter((word) => word.length > shortestFull).map((word) => [withoutVowels(word), word]),
);

/** The words that the grammar knows, and the correction of others to the nearest of them. */
export class Vocabulary {
  /** Every known word, with the number of phrases it stands in. */
  readonly #known = new Map<string, number>();
  /** The stems of known and of common words: another form of a known word is no mistake. */
  readonly #stems: ReadonlySet<string>;
  /** The words of the grammar and the names of assets; and those of ordinary English and other forms of known words. */
  readonly #spelling: Spelling;
  readonly #ordinary: Spelling;
  /** "Lvls", "sz": the words of the grammar, the frequent ones first, without their vowels. */
  readonly #shorthands = new Map<string, string>();

  /** `names`: further words that are known, those of assets; `isName` says which words are symbols, too. */
  constructor(phrases: readonly string[], names: readonly string[], isName: (word: string) => boolean) {
    const more = [
      ...synonymWords,
      ...choiceWords,
      ...exchangeWords,
      ...slotWords,
      ...priceCues,
      ...titleWords,
      ...indicatorWords.keys(),
      ...termWords,
      ...subjectWords,
      ...fieldWords,
      ...restrictingWords,
    ];
    for (const word of more.flatMap((each) => each.toLowerCase().match(/[a-z]+/g) ?? [])) this.#add(word);
    for (const phrase of phrases)
      for (const { kind, text } of scanTokens(phrase, { withSlots: true }))
        if (kind === 'word' && (commonWords.has(text) || !isName(text))) this.#add(text);
    this.#stems = new Set([...this.#known.keys(), ...commonWords].map(termOf));
    this.#spelling = new Spelling([...new Set([...names, ...this.#known.keys()])]);
    this.#ordinary = new Spelling([
      ...commonWords,
      ...ordinaryWords,
      ...[...this.#known.keys()].flatMap(formsOf),
    ]);
    for (const [word, count] of [...this.#known].sort((one, other) => other[1] - one[1])) {
      const short = withoutVowels(word);
      // "Rt" may be "rate", "root" or "right".
      const isTelling = short.length >= shortestFull || (count >= frequent && word.length > shortestFull);
      if (isTelling && !this.#shorthands.has(short)) this.#shorthands.set(short, word);
    }
  }

  #add(word: string): void {
    this.#known.set(word, (this.#known.get(word) ?? 0) + 1);
  }

  /** Whether it is a word of every day that few phrases have: "hurt", but not "price". */
  #isRare(word: string): boolean {
    return commonWords.has(word) && (this.#known.get(word) ?? 0) < frequent;
  }

  /** Whether a word belongs to the grammar, asset names aside. */
  isKnown(word: string): boolean {
    return this.#known.has(word);
  }

  /** The tokens with misspelt words corrected; `isName` says which words are symbols or names of assets. */
  corrected(tokens: readonly Token[], isName: (word: string) => boolean): Token[] {
    let left = mostCorrected;
    const hasSmallLetters = tokens.some(({ raw }) => /[a-z]/.test(raw));
    const corrected = tokens.map((token, at) => {
      if (token.kind !== 'word' || token.isCashtag || left === 0) return token;
      const { text, raw } = token;
      if (
        this.#known.has(text) ||
        commonWords.has(text) ||
        isOrdinaryWord(text) ||
        this.#stems.has(termOf(text)) ||
        isName(text) ||
        (text.length > 3 && text.endsWith('s') && isName(text.slice(0, -1))) ||
        !/^[a-z]+$/.test(text)
      )
        return token;
      // Capitals are symbols of assets more often than misspelt words.
      if (raw.length <= 5 && raw === raw.toUpperCase() && hasSmallLetters) return token;
      const full = shorthands.get(text) ?? this.#shorthands.get(text);
      if (full !== undefined) return { ...token, text: full, isCorrected: true };
      left--;
      const known = this.#spelling.nearest(
        text,
        (word, steps) =>
          steps - 0.3 * sharedStart(text, word) - Math.min(0.4, (this.#known.get(word) ?? 1) / 100),
      );
      const isMeant = known !== undefined && (!this.#isRare(known) || isSlip(text, known));
      // A capital inside a sentence is a name, which is misspelt less often.
      const isProper = at > 0 && /^\p{Lu}\p{Ll}/u.test(raw);
      const ordinary =
        isProper || text.length < shortestOrdinary || (isMeant && editSteps(text, known) === 1)
          ? undefined
          : this.#ordinary.nearest(text, (word, steps) =>
              steps === 1 && word.startsWith(text.charAt(0)) && isSlip(text, word) ? 1 : Infinity,
            );
      const nearest = ordinary ?? (isMeant ? known : undefined);
      if (nearest !== undefined) return { ...token, text: nearest, isCorrected: true };
      // "Bob's portfolio": an unknown name is a person.
      return token.isPossessive === true
        ? { ...token, text: 'someone' }
        : { ...token, isStrange: !inflected.test(text) };
    });
    // "2 percnt" is a number with its unit, too.
    return joinNumberWords(corrected);
  }
}

/** Words that readers of slots look for and that may stand in no phrase. */
const slotWords: readonly string[] = listedWords('slot-words', 'slotWords');

/** A misspelt "except" still changes what is asked. */
const restrictingWords = [...listedWords('talk', 'restrictions'), ...listedWords('left-words', 'ofNoSlot')];

const titleWords = [...indicators, ...strategies].flatMap(({ name, title }) => [title, ...name.split('_')]);
