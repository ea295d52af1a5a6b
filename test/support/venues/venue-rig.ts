import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type {
  Lookup,
  Placement,
  TradingVenue,
  VenueOrder,
  VenueOrderState,
} from '../../../storage/exchanges/trading-venue.js';

/** A venue under test with a market whose price the test sets. */
export interface VenueRig {
  venue: TradingVenue;
  /** A second client of the same venue, as another process has. */
  other: TradingVenue;
  /** A pair that is traded. Its price is some 60,000 quote units. */
  pair: PairSymbols;
  /** A new user with so much of the quote currency. */
  user: (quote: string) => Promise<string>;
  /** Moves the price. Resolves when the venue has matched every order against it. */
  price: (price: string) => Promise<void>;
  /** What the user has of an asset in all, what orders lock included. */
  total: (userId: string, asset: string) => Promise<Decimal>;
}

let orders = 0;

type OrderTexts = Partial<Record<'price' | 'stopPrice' | 'quantity', string | null>> &
  Partial<Omit<VenueOrder, 'price' | 'stopPrice' | 'quantity'>>;

const decimal = (text: string | null): Decimal | null => (text === null ? null : Decimal.parse(text));

/** What suites do with a venue. `usual`: what their orders have unless they say otherwise. */
export function venueHands(rig: () => VenueRig, usual: Partial<VenueOrder> = {}) {
  const account = usual.account ?? 'SPOT';
  /** A purchase of 0.01 at 60,000 unless `texts` say otherwise. */
  const order = (userId: string, texts: OrderTexts = {}): VenueOrder => {
    const { price, stopPrice = null, quantity = '0.01', side = 'buy', type = 'limit', ...rest } = texts;
    return {
      ...{
        userId,
        pair: rig().pair,
        clientOrderId: `contract${account.toLowerCase()}${++orders}`,
        owner: 'execution:1',
      },
      ...{ side, type, account, leverage: 1, marginMode: 'ISOLATED' },
      reduces: side === 'sell' && account === 'SPOT',
      price: decimal(price === undefined ? (type === 'limit' ? '60000' : null) : price),
      stopPrice: decimal(stopPrice),
      quantity: decimal(quantity)!,
      ...usual,
      ...rest,
    };
  };
  const stateOf = (placement: Placement): VenueOrderState => {
    assert.ok('state' in placement, JSON.stringify(placement));
    return placement.state;
  };
  const said = (lookup: Lookup): VenueOrderState | null => {
    assert.ok(!lookup || 'status' in lookup, JSON.stringify(lookup));
    return lookup;
  };
  return {
    order,
    stateOf,
    said,
    place: async (userId: string, texts: OrderTexts = {}) => {
      const placed = order(userId, texts);
      const [placement] = await rig().venue.place([placed]);
      return { order: placed, state: stateOf(placement) };
    },
    refusal: async (userId: string, texts: OrderTexts): Promise<string> => {
      const [answer] = await rig().venue.place([order(userId, texts)]);
      assert.ok('refused' in answer, JSON.stringify([texts, answer]));
      return answer.refused;
    },
    found: async (one: VenueOrder) => said((await rig().venue.find([one]))[0]),
    cancelled: async (venue: TradingVenue, one: VenueOrder) => said((await venue.cancel([one]))[0]),
    free: async (userId: string, asset = rig().pair.quote) =>
      ((await rig().venue.freeBalances([userId], asset, account)).get(userId) as Decimal).toString(),
  };
}

/** Whether a venue that was to cancel an order says that it has none, or that it takes none of this id any more. */
export const isNoOrder = (lookup: Lookup): boolean =>
  lookup === null || ('status' in lookup && lookup.status === 'cancelled' && lookup.filled.sign === 0);
