import type { TradeSide } from '../../../compute/model/risk-assessment.js';
import type { EntryLevel, SignalEntryTerms, SignalTerms } from '../../../storage/signals/partner-signal.js';

/** A signal as it was sent, in either version of the API, before its levels are checked. Prices are decimals as text. */
export interface SignalDraft extends Omit<SignalTerms, 'entryMode' | 'entries' | 'targets'> {
  mode: 'range' | 'market';
  prices: Partial<Record<EntryLevel, string>>;
  /** Percent of the investment at each level, for a split entry. */
  shares: Partial<Record<EntryLevel, string>>;
  /** By number, from 1; undefined where one was left out. */
  targets: (string | undefined)[];
  /** Whether entry prices far beyond the market are meant. */
  confirmsPrice: boolean;
}

/** What the parts of a draft are called on the wire. */
export interface SignalFieldNames {
  entry: Record<EntryLevel, string>;
  share: Record<EntryLevel, string>;
  target: (number: number) => string;
  stopLoss: string;
}

const shareNames = { min: 'invest_entry_min', mid: 'invest_entry_mid', max: 'invest_entry_max' };

/** The names of the fields by version of the API. */
export const fieldNames: Record<1 | 2, SignalFieldNames> = {
  1: {
    entry: { min: 'buy_price_min', mid: 'buy_price_mid', max: 'buy_price_max' },
    share: shareNames,
    target: (number) => `sell_price_${number}`,
    stopLoss: 'stop_loss',
  },
  2: {
    entry: { min: 'entry_price_min', mid: 'entry_price_mid', max: 'entry_price_max' },
    share: shareNames,
    target: (number) => `exit_price_${number}`,
    stopLoss: 'stop_loss',
  },
};

/** Levels in the order in which the price reaches them: a long waits for the price to fall, a short for it to rise. */
const levelsOf = (side: TradeSide): readonly EntryLevel[] =>
  side === 'long' ? ['max', 'mid', 'min'] : ['min', 'mid', 'max'];

export const isSplit = ({ shares }: Pick<SignalDraft, 'shares'>): boolean => Object.keys(shares).length > 0;

/** The entries of a draft whose levels are in order. */
function entriesOf(draft: Pick<SignalDraft, 'side' | 'mode' | 'prices' | 'shares'>): SignalEntryTerms[] {
  const { side, mode, prices, shares } = draft;
  const given = levelsOf(side).filter((level) => prices[level] !== undefined);
  if (isSplit(draft))
    return given
      .filter((level) => shares[level] !== undefined)
      .map((level) => ({
        level,
        type: 'limit',
        price: prices[level]!,
        zoneEnd: null,
        percent: shares[level]!,
      }));
  const [worst, ...others] = given.filter((level) => level !== 'mid');
  const far = others.at(-1);
  const zoneEnd = mode === 'range' && far !== undefined ? prices[far]! : null;
  const type = mode === 'market' ? 'market' : 'limit';
  return [{ level: worst, type, price: prices[worst]!, zoneEnd, percent: '100' }];
}

/** The terms of a draft without faults. */
export function termsOf(draft: SignalDraft): SignalTerms {
  const { mode, prices: _prices, shares: _shares, confirmsPrice: _confirmed, targets, ...rest } = draft;
  return {
    ...rest,
    entryMode: isSplit(draft) ? 'split' : mode,
    entries: entriesOf(draft),
    targets: targets.filter((target) => target !== undefined),
  };
}

/** The draft that leads to these terms. */
export function draftOf({ entryMode, entries, targets, ...rest }: SignalTerms): SignalDraft {
  const prices: SignalDraft['prices'] = {};
  const shares: SignalDraft['shares'] = {};
  for (const { level, price, zoneEnd, percent } of entries) {
    prices[level] = price;
    if (entryMode === 'split') shares[level] = percent;
    if (zoneEnd !== null) prices[level === 'max' ? 'min' : 'max'] = zoneEnd;
  }
  const mode = entryMode === 'market' ? 'market' : 'range';
  return { ...rest, mode, prices, shares, targets, confirmsPrice: false };
}
