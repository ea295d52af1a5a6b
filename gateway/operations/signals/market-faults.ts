import { setTimeout as pause } from 'node:timers/promises';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import { percentOf, type PairRules } from '../../../compute/model/pair-rules.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import { Prices } from '../../../storage/candles/prices.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { SignalTerms } from '../../../storage/signals/partner-signal.js';
import type { Caller, Deps } from '../../context.js';
import { findPairTerms } from '../exchanges/exchange-rules.js';
import { fieldNames, type SignalDraft } from './signal-draft.js';
import { wrongField, type SignalFault } from './signal-faults.js';

/** What a signal is compared with; null: not known now. */
export interface SignalMarket {
  price: number | null;
  /** `untraded`: the exchange says that it does not trade the pair. */
  rules: PairRules | 'untraded' | null;
}

/** Older prices are no longer those of the market. */
const freshMs = 60_000;
/** A signal does not wait longer for the rules of an exchange: they are asked again when it is delivered. */
const rulesMs = 2_000;
const farPercent = Decimal.parse('5');

/** The present price and the rules of the pair of a signal. */
export async function signalMarket(
  terms: Pick<SignalTerms, 'coin' | 'quote' | 'exchange' | 'account'>,
  deps: Deps,
  caller: Omit<Caller, 'user'>,
): Promise<SignalMarket> {
  const [price, rules] = await Promise.all([presentPrice(terms, deps), rulesFor(terms, deps, caller)]);
  return { price, rules };
}

/** The last price of the pair where the signal is traded, else in the market of the service; null if none is known, or it is old. */
export async function presentPrice(
  terms: Pick<SignalTerms, 'coin' | 'quote' | 'exchange' | 'account'>,
  { redis, settings, exchanges }: Pick<Deps, 'exchanges' | 'redis' | 'settings'>,
): Promise<number | null> {
  const { coin: base, quote, exchange, account } = terms;
  const isLive = exchange !== paperName && settings.LIVE_TRADING === 'on';
  const id = exchanges.exchanges.marketOf(exchange);
  const traded = isLive ? [`${id}-${account === 'FUTURES' ? 'futures' : 'spot'}`, id] : [];
  // What the demo market makes up says nothing of an exchange.
  const own = isLive && settings.MARKET === 'demo' ? [] : [settings.MARKET];
  for (const market of [...traded, ...own]) {
    const tick = await new Prices(redis).find({ market, base, quote });
    if (tick !== null && Date.now() - tick.time <= freshMs) return tick.price;
  }
  return null;
}

/** The faults of a signal that only the market shows: a pair that is not traded, and entries far beyond its price. */
export const marketFaults = (draft: SignalDraft, { price, rules }: SignalMarket): SignalFault[] => [
  ...(rules === 'untraded' ? [untraded(draft)] : []),
  ...farFaults(draft, price),
];

const untraded = ({ coin, quote, exchange, account }: SignalDraft): SignalFault =>
  wrongField('coin', `must be one that ${exchange} trades with ${quote} on ${account}, found "${coin}"`);

/** Entries that would pay over 5 % more than the market does (take less, for a short), which are mostly typing errors. */
export function farFaults(
  {
    side,
    version,
    prices,
    confirmsPrice,
  }: Pick<SignalDraft, 'side' | 'version' | 'prices' | 'confirmsPrice'>,
  market: number | null,
): SignalFault[] {
  const level = side === 'long' ? 'max' : prices.min === undefined ? 'max' : 'min';
  const worst = prices[level];
  if (market === null || confirmsPrice || worst === undefined) return [];
  const present = Decimal.read(String(market));
  const away = percentOf(present, farPercent);
  const isFar =
    side === 'long'
      ? Decimal.parse(worst).compare(present.plus(away)) > 0
      : Decimal.parse(worst).compare(present.minus(away)) < 0;
  if (!isFar) return [];
  const where = side === 'long' ? 'above' : 'below';
  const why = `is more than 5 % ${where} the market (${present.toString()}), found "${worst}"; if it is meant, send "confirm_price": true`;
  return [wrongField(fieldNames[version].entry[level], why)];
}

/** The rules of the pair: of the demo market, else of the exchange, where it answers in time. */
async function rulesFor(
  { coin: base, quote, exchange, account }: Pick<SignalTerms, 'coin' | 'quote' | 'exchange' | 'account'>,
  deps: Deps,
  caller: Omit<Caller, 'user'>,
): Promise<SignalMarket['rules']> {
  const { MARKET, LIVE_TRADING } = deps.settings;
  const pair = { base, quote };
  const demo = MARKET === 'demo' ? demoPairRules(pair) : null;
  if (demo || (MARKET === 'demo' && LIVE_TRADING === 'off')) return demo ?? 'untraded';
  const asked = findPairTerms({ exchange, pair, account }, deps, caller).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'invalid_input' ? ('untraded' as const) : null;
  });
  const terms = await Promise.race([asked, pause(rulesMs, null, { ref: false })]);
  if (terms === null || terms === 'untraded') return terms;
  return {
    tickSize: Decimal.parse(terms.priceTick),
    stepSize: Decimal.parse(terms.quantityStep),
    minQuantity: Decimal.parse(terms.minQuantity),
    minNotional: Decimal.parse(terms.minNotional),
  };
}
