import { setTimeout as pause } from 'node:timers/promises';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import { percentOf, type PairRules } from '../../../compute/model/pair-rules.js';
import type { PairTerms } from '../../../compute/model/pair-terms.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import { Prices } from '../../../storage/candles/prices.js';
import { paperName } from '../../../storage/exchanges/exchange-names.js';
import type { SignalTerms } from '../../../storage/signals/partner-signal.js';
import type { Caller, Deps } from '../../context.js';
import { type AskingCaller, findLastPrice, findPairTerms } from '../exchanges/exchange-rules.js';
import { fieldNames, type SignalDraft } from './signal-draft.js';
import { wrongField, type SignalFault } from './signal-faults.js';

/** What a signal is compared with; null: not known now. */
export interface SignalMarket {
  price: number | null;
  /** Whether it is traded with real money: then entries are not taken without a price to compare them with. */
  isReal: boolean;
  /** `untraded`: the exchange says that it does not trade the pair. */
  rules: PairRules | 'untraded' | null;
}

/** Older prices are no longer those of the market. */
const freshMs = 60_000;
/** A signal does not wait longer for an exchange: its rules are asked again when it is delivered. */
const askedMs = 2_000;
const farPercent = Decimal.parse('5');

type TradedTerms = Pick<SignalTerms, 'coin' | 'quote' | 'exchange' | 'account'>;

/** The present price and the rules of the pair of a signal. */
export async function signalMarket(
  terms: TradedTerms,
  deps: Deps,
  caller: Omit<Caller, 'user'>,
): Promise<SignalMarket> {
  const [present, rules] = await Promise.all([
    presentPrice(terms, deps, caller),
    rulesFor(terms, deps, caller),
  ]);
  return { ...present, rules };
}

/**
 * The last price of the pair where the signal is traded, else in the market of the service, else as a real exchange answers now; null if
 * none is known, or it is old.
 */
export async function presentPrice(
  { coin: base, quote, exchange, account }: TradedTerms,
  deps: Pick<Deps, 'exchanges' | 'queues' | 'redis' | 'settings'>,
  caller: AskingCaller,
): Promise<Omit<SignalMarket, 'rules'>> {
  const { redis, settings, exchanges } = deps;
  const isReal = exchange !== paperName && settings.LIVE_TRADING === 'on';
  const id = exchanges.exchanges.marketOf(exchange);
  const traded = isReal ? [`${id}-${account === 'FUTURES' ? 'futures' : 'spot'}`, id] : [];
  // What the demo market makes up says nothing of an exchange.
  const own = isReal && settings.MARKET === 'demo' ? [] : [settings.MARKET];
  for (const market of [...traded, ...own]) {
    const tick = await new Prices(redis).find({ market, base, quote });
    if (tick !== null && Date.now() - tick.time <= freshMs) return { price: tick.price, isReal };
  }
  if (!isReal) return { price: null, isReal };
  const asked = findLastPrice({ exchange, pair: { base, quote }, account }, deps, caller);
  return { price: await inTime(asked, () => null), isReal };
}

/** What an exchange answers in time; for a refusal what `refused` makes of it; null for everything else. */
async function inTime<Answer>(asked: Promise<Answer>, refused: () => Answer | null): Promise<Answer | null> {
  const told = asked.catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return error.code === 'invalid_input' ? refused() : null;
  });
  return Promise.race([told, pause(askedMs, null, { ref: false })]);
}

/** The faults of a signal that only the market shows: a pair that is not traded, and entries far beyond its price. */
export const marketFaults = (draft: SignalDraft, market: SignalMarket): SignalFault[] =>
  market.rules === 'untraded' ? [untraded(draft)] : farFaults(draft, market);

const untraded = ({ coin, quote, exchange, account }: SignalDraft): SignalFault =>
  wrongField('coin', `must be one that ${exchange} trades with ${quote} on ${account}, found "${coin}"`);

/** Entries that would pay over 5 % more than the market does (take less, for a short): typing errors, mostly. Without a price real money is not spent. */
export function farFaults(
  {
    side,
    version,
    prices,
    confirmsPrice,
  }: Pick<SignalDraft, 'side' | 'version' | 'prices' | 'confirmsPrice'>,
  { price, isReal }: Omit<SignalMarket, 'rules'>,
): SignalFault[] {
  const level = side === 'long' ? 'max' : prices.min === undefined ? 'max' : 'min';
  const worst = prices[level];
  if (confirmsPrice || worst === undefined || (price === null && !isReal)) return [];
  const why =
    price === null
      ? 'cannot be compared with the market, whose price is not known now'
      : tooFar(side, worst, price);
  if (why === null) return [];
  const fault = `${why}, found "${worst}"; if it is meant, send "confirm_price": true`;
  return [wrongField(fieldNames[version].entry[level], fault)];
}

/** How the worst price of an entry is too far from the market; null if it is not. */
function tooFar(side: SignalDraft['side'], worst: string, market: number): string | null {
  const present = Decimal.read(String(market));
  const away = percentOf(present, farPercent);
  const isFar =
    side === 'long'
      ? Decimal.parse(worst).compare(present.plus(away)) > 0
      : Decimal.parse(worst).compare(present.minus(away)) < 0;
  return isFar
    ? `is more than 5 % ${side === 'long' ? 'above' : 'below'} the market (${present.toString()})`
    : null;
}

/** The rules of the pair: of the demo market, else of the exchange, where it answers in time. */
async function rulesFor(
  { coin: base, quote, exchange, account }: TradedTerms,
  deps: Deps,
  caller: Omit<Caller, 'user'>,
): Promise<SignalMarket['rules']> {
  const { MARKET, LIVE_TRADING } = deps.settings;
  const pair = { base, quote };
  const demo = MARKET === 'demo' ? demoPairRules(pair) : null;
  if (demo || (MARKET === 'demo' && LIVE_TRADING === 'off')) return demo ?? 'untraded';
  const asked = findPairTerms({ exchange, pair, account }, deps, caller);
  const terms = await inTime<PairTerms | 'untraded'>(asked, () => 'untraded');
  if (terms === null || terms === 'untraded') return terms;
  return {
    tickSize: Decimal.parse(terms.priceTick),
    stepSize: Decimal.parse(terms.quantityStep),
    minQuantity: Decimal.parse(terms.minQuantity),
    minNotional: Decimal.parse(terms.minNotional),
  };
}
