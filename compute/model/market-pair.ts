/** The symbols of what is traded and of what is paid with. */
export interface PairSymbols {
  base: string;
  quote: string;
}

const pattern = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/;

/** The two symbols of a pair as it is written, as in `BTC/USDT`; null if it is none. */
export function parsePair(text: string): PairSymbols | null {
  const [, base, quote] = pattern.exec(text) ?? [];
  return base === undefined || quote === undefined ? null : { base, quote };
}

export const pairName = ({ base, quote }: PairSymbols): string => `${base}/${quote}`;

/** Which pairs of an exchange are wanted: those named, or so many with the most turnover. */
export type PairChoice = { pairs: PairSymbols[] } | { most: number };

/** What MARKET_PAIRS says. Throws when it says nothing that can be understood. */
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
