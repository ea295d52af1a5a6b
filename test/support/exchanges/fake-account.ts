/** A trade of a fake account; numbers as the exchange writes them. */
export interface FakeTrade {
  /** As the exchange names the pair: BTCUSDT, or BTC-USDT. */
  symbol: string;
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  /** As in `0.001 BTC`. */
  fee?: string;
  time?: number;
}

/** An account of the fake exchange, with the key that opens it. */
export interface FakeAccount {
  secret: string;
  /** The third word of the key, where the exchange asks for one. */
  passphrase?: string;
  /** Which of the kinds of accounts of that exchange it is; its usual one if absent. */
  kind?: string;
  /** By asset, what is free and what orders hold. */
  balances: Record<string, { free: string; locked?: string }>;
  trades: FakeTrade[];
  mayTrade?: boolean;
  mayWithdraw?: boolean;
  /** What the key info leaves out. */
  silent?: boolean;
}
