import { AppError } from '../../compute/model/errors.js';
import type { SecretBox } from '../accounts/secret-box.js';
import { openSecretBox } from '../accounts/open-secret-box.js';
import type { Market } from '../candles/series.js';
import type { Settings } from '../process/settings.js';
import { paperName, readExchanges, type ExchangeEntry } from './exchange-names.js';

type KnownSettings = Pick<Settings, 'DATA_DIR' | 'EXCHANGES' | 'MARKET' | 'SECRETS_KEY'>;

/** The exchanges that users may connect, by their names, and the box that their keys are sealed with. Asks none of them. */
export class KnownExchanges {
  readonly entries: readonly ExchangeEntry[];
  readonly #settings: KnownSettings;
  #box: Promise<SecretBox> | undefined;

  constructor(settings: KnownSettings) {
    this.entries = readExchanges(settings.EXCHANGES);
    this.#settings = settings;
  }

  /** What clients may call an exchange, the paper exchange first. */
  get names(): string[] {
    return [paperName, ...this.entries.map(({ name }) => name)];
  }

  /** The name, if it is one. Throws `invalid_input` else. */
  requireName(name: string): string {
    if (this.names.includes(name)) return name;
    const message = `"exchange" must be one of ${this.names.join(', ')}, found "${name.slice(0, 40)}"`;
    throw new AppError('invalid_input', message, { details: { field: 'exchange' } });
  }

  /** The market whose prices count on an exchange: the paper exchange has those of the market that is served. */
  marketOf = (name: string): Market =>
    name === paperName
      ? this.#settings.MARKET
      : (this.entries.find((entry) => entry.name === name)?.id ?? 'none');

  /** An exchange that is not the paper exchange. Throws `invalid_input` for a name that is not known (any more). */
  entry(name: string): ExchangeEntry {
    const entry = this.entries.find((each) => each.name === name);
    if (entry) return entry;
    const message = `"${name}" cannot be connected with a key`;
    throw new AppError('invalid_input', message, { details: { field: 'exchange' } });
  }

  /** What seals and opens the keys of users; its own keys are read, or made, when it is first needed. */
  box(): Promise<SecretBox> {
    if (!this.#box) {
      this.#box = openSecretBox(this.#settings);
      this.#box.catch(() => (this.#box = undefined));
    }
    return this.#box;
  }
}
