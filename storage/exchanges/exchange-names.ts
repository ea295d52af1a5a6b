import { exchangeIds } from './exchange-ids.js';

/** An exchange that users may connect, as EXCHANGES lists it. */
export interface ExchangeEntry {
  /** The name that clients use. */
  name: string;
  /** The ccxt id. */
  id: string;
  /** Replaces the exchange's own address, if not empty. */
  url: string;
}

/** The name of the paper exchange, which every user has. */
export const paperName = 'PAPER';

const pattern = /^([A-Z0-9_]{1,20})=([a-z0-9]+)(?:@(https?:\/\/[^\s,]+))?$/;

/** Reads the setting EXCHANGES. Throws a RangeError that says what is wrong. */
export function readExchanges(text: string): ExchangeEntry[] {
  const known = new Set(exchangeIds());
  const entries = text.split(',').map((part) => {
    const [, name, id, url = ''] = pattern.exec(part.trim()) ?? [];
    if (name === undefined || id === undefined)
      throw new RangeError(`expected a name and an id as in BINANCE=binance, found "${part.trim()}"`);
    if (!known.has(id)) throw new RangeError(`ccxt knows no exchange "${id}"`);
    return { name, id, url };
  });
  const names = [paperName, ...entries.map(({ name }) => name)];
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new RangeError(`the name "${twice}" is taken`);
  return entries;
}
