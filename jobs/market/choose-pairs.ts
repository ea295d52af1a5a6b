import { AppError } from '../../compute/model/errors.js';
import type { MarketDataSource, ListedPair } from '../../storage/exchanges/market-data-source.js';
import { pegged } from '../../storage/candles/pegged.js';
import { pairName, type PairChoice, type PairSymbols } from '../../compute/model/market-pair.js';

const quote = 'USDT';

/** The pairs to keep up to date, and those of them that the exchange trades now. */
export interface ChosenPairs {
  pairs: PairSymbols[];
  active: PairSymbols[];
}

/**
 * The pairs of the setting MARKET_PAIRS on this exchange. Named pairs are kept even when the exchange no longer lists them:
 * they show as stale. A choice by turnover prefers the pairs in `followed`, so that a change of rank does not end a history.
 * Throws as the source does, and `invalid_settings` when no pair is left.
 */
export async function choosePairs(
  source: MarketDataSource,
  choice: PairChoice,
  followed: readonly PairSymbols[],
): Promise<ChosenPairs> {
  const listed = new Map((await source.pairs()).map((pair) => [pairName(pair), pair]));
  const isActive = (pair: PairSymbols) => listed.get(pairName(pair))?.active === true;
  if ('pairs' in choice) {
    const { pairs } = choice;
    const active = pairs.filter(isActive);
    if (active.length > 0) return { pairs, active };
    const names = pairs.map(pairName).join(', ');
    throw new AppError(
      'invalid_settings',
      `settings: MARKET_PAIRS is "${names}", found none of them on ${source.id}`,
    );
  }
  const pairs = await pairsByTurnover(source, [...listed.values()], choice.most, followed);
  if (pairs.length > 0) return { pairs, active: pairs };
  const message = `settings: ${source.id} trades nothing against ${quote}; name pairs in MARKET_PAIRS`;
  throw new AppError('invalid_settings', message);
}

async function pairsByTurnover(
  source: MarketDataSource,
  listed: ListedPair[],
  most: number,
  followed: readonly PairSymbols[],
): Promise<PairSymbols[]> {
  const turnover = await source.turnover(quote);
  const known = new Set(followed.map(pairName));
  const rank = (pair: PairSymbols) => turnover.get(pairName(pair)) ?? 0;
  const isKnown = (pair: PairSymbols) => Number(known.has(pairName(pair)));
  return listed
    .filter((pair) => pair.active && pair.quote === quote && !pegged.has(pair.base))
    .sort((left, right) => isKnown(right) - isKnown(left) || rank(right) - rank(left))
    .slice(0, most)
    .map(({ base }) => ({ base, quote }));
}
