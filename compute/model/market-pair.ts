/** The symbols of a pair: the traded asset and the quote currency. */
export interface PairSymbols {
  base: string;
  quote: string;
}

const pattern = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/;

/** Reads a pair such as `BTC/USDT`; null for any other text. */
export function parsePair(text: string): PairSymbols | null {
  const [, base, quote] = pattern.exec(text) ?? [];
  return base === undefined || quote === undefined ? null : { base, quote };
}

export const pairName = ({ base, quote }: PairSymbols): string => `${base}/${quote}`;

/** A choice of pairs of an exchange: named ones, or a number of those with the highest turnover. */
export type PairChoice = { pairs: PairSymbols[] } | { most: number };

/** Reads MARKET_PAIRS. Throws for a text of another form. */
export function readPairChoice(text: string): PairChoice {
  if (/^\d{1,4}$/.test(text.trim())) {
    const most = Number(text);
    if (most < 1 || most > 1_000) throw new RangeError(`expected 1 to 1000 pairs, found ${most}`);
    return { most };
  }
  const names = new Set(text.split(',').map((name) => name.trim().toUpperCase()));
  return {
    pairs: [...names].map((name) => {
      const pair = parsePair(name);
      if (!pair) throw new RangeError(`expected a pair as in BTC/USDT, found "${name}"`);
      return pair;
    }),
  };
}
