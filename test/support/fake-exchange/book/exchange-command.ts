import type { OrderRequest } from './book-order.js';
import type { BookKind, TradedPair } from './traded-pair.js';

/** An account of the fake exchange, with the key that opens it. Amounts are decimals as text, by asset. */
export interface AccountSetup {
  apiKey: string;
  secret: string;
  /** Where keys have one. */
  passphrase?: string;
  /** The exchange's own id of the account, the same for all keys; default: one that follows from the key; null: it is not told. */
  uid?: number | null;
  spot?: Record<string, string>;
  margin?: Record<string, string>;
  /** By symbol: the accounts of isolated margin that the user has opened. */
  isolated?: Record<string, Record<string, string>>;
  futures?: Record<string, string>;
  mayTrade?: boolean;
  /** Whether a key that may trade does so on spot and margin. Default: it does. */
  mayTradeSpot?: boolean;
  /** A position that is not traded here: its category, or the coin of a linear one that settles otherwise. */
  otherPosition?: 'inverse' | 'option' | 'USDC';
  mayWithdraw?: boolean;
  /** Whether its permissions say nothing about withdrawals. */
  isSilent?: boolean;
  isPortfolioMargin?: boolean;
  /** Default of these three: it may, and has. */
  mayTradeMargin?: boolean;
  mayTradeFutures?: boolean;
  /** Whether the account has a margin account. */
  hasMargin?: boolean;
  /** Whether spot, margin and futures have one wallet. */
  isUnified?: boolean;
  /** Whether it is an account for many orders, where there is another kind. Default: it is. */
  isHighFrequency?: boolean;
  /** Whether longs and shorts on futures are held apart ("hedge mode"). */
  isHedged?: boolean;
  /** Whether fees on spot and margin are taken in BNB. */
  paysWithBnb?: boolean;
  /** Whether fees on spot and margin are taken in the quote asset, beside the value of a purchase. */
  paysInQuote?: boolean;
}

/** A trade that an account has made before. */
export interface PastTrade {
  symbol: string;
  side: 'BUY' | 'SELL';
  quantity: string;
  price: string;
  /** Amount and asset, as in `0.001 BTC`; absent: none. */
  fee?: string;
  time?: number;
}

/** Everything that changes the exchange. The same commands in the same order make the same exchange. */
export type ExchangeCommand =
  | { type: 'account'; account: AccountSetup }
  | { type: 'pairs'; pairs: readonly TradedPair[] }
  | { type: 'deposit'; apiKey: string; kind: Exclude<BookKind, 'isolated'>; asset: string; amount: string }
  /** Moves an amount from spot into another wallet, or back where it is below 0; into a unified account, from elsewhere. */
  | { type: 'transfer'; apiKey: string; kind: 'margin' | 'futures'; asset: string; amount: string }
  /** Longs pay shorts this share of their value at the present price; the other way where it is below 0. */
  | { type: 'funding'; apiKey: string; symbol: string; rate: string }
  /** On cross margin, or on the isolated margin of a symbol. */
  | { type: 'interest'; apiKey: string; asset: string; amount: string; symbol?: string }
  /** `quantity`: how much trades at the price for each account, oldest orders first; null: any quantity. */
  | { type: 'price'; symbol: string; price: string; quantity: string | null }
  | { type: 'order'; request: OrderRequest }
  /** Two orders of which one cancels the other: a stop and a LIMIT_MAKER. */
  | { type: 'pair'; stop: OrderRequest; target: OrderRequest }
  /** Trades of earlier times, which move no money. */
  | { type: 'past'; apiKey: string; trades: readonly PastTrade[] }
  /** While a symbol is halted no order is taken and none trades; orders can be cancelled. */
  | { type: 'halt'; symbol: string; isHalted: boolean }
  /** The contract of a symbol is delisted: its positions are settled at the present price. */
  | { type: 'settle'; symbol: string }
  | { type: 'cancel'; orderId: number }
  | { type: 'leverage'; apiKey: string; symbol: string; leverage: number }
  /** How much a position on margin may be worth; for the whole account. */
  | { type: 'spot leverage'; apiKey: string; leverage: number }
  /** For all positions of the account. */
  | { type: 'margin mode'; apiKey: string; isIsolated: boolean }
  | { type: 'position mode'; apiKey: string; isHedged: boolean }
  | { type: 'margin type'; apiKey: string; symbol: string; isIsolated: boolean };
