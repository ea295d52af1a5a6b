import type { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import type { PairSymbols } from '../../compute/model/market-pair.js';
import type { PairRules } from '../../compute/model/pair-rules.js';
import type { Price } from '../../compute/model/price.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import type { RestingTargets } from '../../compute/signals/execution.js';
import type { Prices } from '../../storage/candles/prices.js';
import type { FreeBalances, TradingVenue, VenueMarket } from '../../storage/exchanges/trading-venue.js';

/** The default of the age limit of prices: nothing acts on an older price. */
export const defaultOldTickMs = 10_000;

/** A clock of the exchange that differs by less (ms) counts as the one of this machine: answers tell it in whole seconds. */
export const leastLagMs = 2_000;

/** The answers of a venue when a signal is delivered to subscribers who trade on it. */
export interface VenueScene {
  market: string;
  /** null: the venue does not trade the pair. */
  rules: PairRules | null;
  /** The users' free balances of the quote asset; see `TradingVenue`. */
  balances: Readonly<FreeBalances>;
  /** The present price; null: none is known, or it is too old to act on. */
  price: Price | null;
  /** How far the exchange's clock is behind this machine's, in ms; absent: not at all. */
  lagMs?: number;
  /** What was traded of the pair in 24 hours, in USDT; null: it is not known, or does not matter there. */
  turnover?: Decimal | null;
  /** Why nothing can be traded there; null if it can. */
  fault: SceneFault | null;
  /** Whether stop orders of the account can rest there. */
  stopsStand: boolean;
  /** See `TradingVenue`. */
  restingTargets?: RestingTargets | undefined;
}

export interface SceneFault {
  reason: string;
  /** Whether asking again changes nothing. */
  isLasting: boolean;
}

export interface VenueSceneTools {
  prices: Pick<Prices, 'find'>;
  /** The market of the service, which venues without markets follow. */
  market: string;
  /** See `SignalEngineOptions`. */
  oldTickMs?: number;
}

export interface SceneQuestion {
  pair: PairSymbols;
  account: TradingAccount;
  /** Whether the account of the pair on isolated margin is meant. */
  isIsolated?: boolean;
  /** Whether the turnover of the pair matters to any of the users. */
  asksTurnover?: boolean;
  userIds: readonly string[];
  /** See `BalanceOptions`. */
  withinMs?: number | undefined;
}

/** Asks a venue. If its exchange does not answer, the scene has a `fault`; other venues are not affected. */
export async function venueScene(
  { prices, market, oldTickMs = defaultOldTickMs }: VenueSceneTools,
  venue: TradingVenue,
  { pair, account, isIsolated = false, asksTurnover = false, userIds, withinMs }: SceneQuestion,
): Promise<VenueScene> {
  const venueMarket = venue.markets?.get(account);
  const name = venueMarket?.name ?? market;
  const stands = {
    stopsStand: venue.standingStops.has(account),
    restingTargets: venue.restingTargets?.get(account),
  };
  try {
    const rules = await venue.rules(pair, account);
    const balances: FreeBalances = rules
      ? await venue.freeBalances(userIds, pair.quote, account, {
          isolated: isIsolated ? pair : undefined,
          withinMs,
        })
      : new Map<string, Decimal>();
    const turnover = rules && asksTurnover ? ((await venueMarket?.turnover?.(pair)) ?? null) : null;
    const found = venueMarket ? await lastPrice(venueMarket, pair) : await prices.find({ market, ...pair });
    const measuredMs = venueMarket?.lagMs?.() ?? 0;
    const lagMs = Math.abs(measuredMs) < leastLagMs ? 0 : measuredMs;
    const price = found && Date.now() - lagMs - found.time <= oldTickMs ? found : null;
    return { market: name, rules, balances, price, lagMs, turnover, fault: null, ...stands };
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('exchange_')) throw error;
    const fault = { reason: error.message, isLasting: error.kind !== 'unavailable' };
    return { market: name, rules: null, balances: new Map(), price: null, fault, ...stands };
  }
}

/** The last price; null also if the market does not answer: the execution then acts on the first price that is published. */
async function lastPrice(market: VenueMarket, pair: PairSymbols): Promise<Price | null> {
  const [tick] = await market.ticks([pair]).catch(noTicks);
  return tick ? { price: Number(tick.price.toString()), change24hPercent: null, time: tick.at } : null;
}

function noTicks(error: unknown): [] {
  if (error instanceof AppError && error.code.startsWith('exchange_')) return [];
  throw error;
}
