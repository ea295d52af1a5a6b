import { AppError } from '../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../compute/model/nearest-names.js';
import type { SecretBox } from '../accounts/secret-box.js';
import { openSecretBox } from '../accounts/open-secret-box.js';
import type { Market } from '../candles/series.js';
import type { Settings } from '../process/settings.js';
import { paperName, readExchanges, type ExchangeEntry } from './exchange-names.js';

type KnownSettings = Pick<Settings, 'DATA_DIR' | 'EXCHANGES' | 'MARKET' | 'SECRETS_KEY'>;

/** The exchanges of the setting EXCHANGES by name, and the secret box that seals the keys of users. Sends no request. */
export class KnownExchanges {
  readonly entries: readonly ExchangeEntry[];
  readonly #settings: KnownSettings;
  #box: Promise<SecretBox> | undefined;

  constructor(settings: KnownSettings) {
    this.entries = readExchanges(settings.EXCHANGES);
    this.#settings = settings;
  }

  /** The names that clients may use, the paper exchange first. */
  get names(): string[] {
    return [paperName, ...this.entries.map(({ name }) => name)];
  }

  /** Returns the name if it is known. Throws `invalid_input` for any other. */
  requireName(name: string): string {
    if (this.names.includes(name)) return name;
    const meant = didYouMean(nearestNames(name.slice(0, 40), this.names));
    const message = `"exchange" must be one of ${this.names.join(', ')}, found "${name.slice(0, 40)}"${meant}`;
    throw new AppError('invalid_input', message, {
      details: { field: 'exchange', allowed: this.names.join(', ') },
    });
  }

  /** The market whose prices value the assets on an exchange; for the paper exchange, the market of the service. */
  marketOf = (name: string): Market =>
    name === paperName
      ? this.#settings.MARKET
      : (this.entries.find((entry) => entry.name === name)?.id ?? 'none');

  /** The exchange with this name, except the paper exchange. Throws `invalid_input` for a name that EXCHANGES does not list. */
  entry(name: string): ExchangeEntry {
    const entry = this.entries.find((each) => each.name === name);
    if (entry) return entry;
    const message = `"${name}" cannot be connected with a key`;
    throw new AppError('invalid_input', message, { details: { field: 'exchange' } });
  }

  /** The secret box of users' keys. The box's own keys are read or created on first use. */
  box(): Promise<SecretBox> {
    if (!this.#box) {
      this.#box = openSecretBox(this.#settings);
      this.#box.catch(() => (this.#box = undefined));
    }
    return this.#box;
  }
}
