import { fieldError } from '../../../compute/model/errors.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { Caller, Deps } from '../../context.js';
import { findPairTerms } from '../exchanges/exchange-rules.js';

type Given = Record<string, unknown>;

/**
 * The parameters, with the order rules of their pair for those that are null. Without an exchange they are those of the paper
 * exchange where it trades; without an asset nothing changes. A position with leverage or on the short side is one of the
 * futures account. Throws `invalid_input`, `exchange_unavailable`.
 */
export async function withPairTerms(given: Given, deps: Deps, caller: Caller): Promise<Given> {
  const { asset, tradeMarket, side, leverage } = given as Record<string, string | null>;
  const exchange = exchangeOf(given, deps);
  if (exchange === null) return given;
  if (asset === null) throw fieldError('asset', '"asset" is required with "exchange"');
  const isPosition = side === 'short' || Number(leverage) > 1;
  const account = isPosition ? 'FUTURES' : 'SPOT';
  const pair = { base: asset, quote: tradeMarket! };
  const terms = await findPairTerms({ exchange, pair, account }, deps, caller);
  if (terms.maxLeverage !== null && Number(leverage) > Number(terms.maxLeverage))
    throw fieldError('leverage', `"leverage" must be at most ${terms.maxLeverage}, found ${leverage}`);
  return {
    ...given,
    step: given.step ?? terms.quantityStep,
    tick: given.tick ?? terms.priceTick,
    minNotional: given.minNotional ?? (Number(terms.minNotional) === 0 ? null : terms.minNotional),
    feePercent: given.feePercent ?? terms.takerPercent,
  };
}

/** The exchange that is asked for, else the paper exchange, which trades the pairs of the demo market; null for none. */
function exchangeOf({ exchange, asset }: Given, { settings }: Pick<Deps, 'settings'>): string | null {
  if (typeof exchange === 'string') return exchange;
  return asset !== null && settings.MARKET === 'demo' ? paperName : null;
}
