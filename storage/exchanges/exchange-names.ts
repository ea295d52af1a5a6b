import { exchangeIds } from './exchange-ids.js';

/** An exchange that users may connect. */
export interface ExchangeEntry {
  /** What clients call it. */
  name: string;
  /** What ccxt calls it. */
  id: string;
  /** Takes the place of its own address, if not empty. */
  url: string;
}

/** What clients call the exchange that every user has from the start. */
export const paperName = 'PAPER';

const pattern = /^([A-Z0-9_]{1,20})=([a-z0-9]+)(?:@(https?:\/\/[^\s,]+))?$/;

/** The exchanges that EXCHANGES names. Throws a RangeError with what is wrong. */
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
