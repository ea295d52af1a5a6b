import { wordSet, wordTable } from '../word-list.js';
import { assetNames } from '../../../../compute/model/asset-names.js';
import { wordsFor } from '../../../../compute/model/nearest-assets.js';
import { commonWords } from '../vocabulary/words.js';

/** What people write for assets beside symbols and names; misspellings that are too far for the correction are here, too. */
const nicknames: Readonly<Record<string, string>> = wordTable('asset-words', 'nicknames');

/** Words that are symbols only with a dollar sign, in a pair, or in capitals behind "of", "buy" and the like. */
const functionWords = wordSet('asset-words', 'functionWords');

/** Names of exchanges and quote currencies that are also assets: read as assets by their symbols alone. */
const notAlone = wordSet('asset-words', 'notAlone');

/** Names and symbols of assets: the well-known ones, and those that are known at run time. */
export class AssetWords {
  readonly #bySymbol = new Map<string, string>();
  readonly #byName = new Map<string, string>();
  readonly #firstWords: ReadonlySet<string>;

  constructor(symbols: readonly string[] = []) {
    for (const symbol of [...Object.keys(assetNames), ...symbols])
      this.#bySymbol.set(symbol.toLowerCase(), symbol);
    const traded = new Set(symbols);
    // Where two assets have one name, the one that is known at run time has it.
    for (const symbol of Object.keys(assetNames))
      for (const name of wordsFor(symbol))
        if (!this.#byName.has(name) || traded.has(symbol)) this.#byName.set(name, symbol);
    for (const [name, symbol] of Object.entries(nicknames))
      if (!this.#byName.has(name)) this.#byName.set(name, symbol);
    this.#firstWords = new Set([...this.#byName.keys()].map((name) => name.split(' ')[0]));
  }

  /** Whether some name begins with this word. */
  beginsName(word: string): boolean {
    return this.#firstWords.has(word);
  }

  /** The symbol, of small letters as well. */
  symbol(text: string): string | undefined {
    return this.#bySymbol.get(text.toLowerCase());
  }

  /** The asset that has this name, which may consist of several words in small letters. */
  named(text: string): string | undefined {
    return notAlone.has(text) ? undefined : this.#byName.get(text);
  }

  isFunctionWord(text: string): boolean {
    return functionWords.has(text);
  }

  /** Whether a symbol or name is a word of English, too. */
  isOrdinary(text: string): boolean {
    return commonWords.has(text) || text.length === 1;
  }

  /** The words of names, for the correction of spelling. */
  get words(): string[] {
    return [...this.#byName.keys()].filter((name) => !name.includes(' ') && !name.includes('.'));
  }
}
