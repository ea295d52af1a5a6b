/** A trade of a fake account; numbers are in the exchange's notation. */
export interface FakeTrade {
  /** The exchange's symbol of the pair: BTCUSDT or BTC-USDT. */
  symbol: string;
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  /** Amount and currency, as in `0.001 BTC`. */
  fee?: string;
  time?: number;
}

/** An account of a fake exchange, with the secret of the key that opens it. */
export interface FakeAccount {
  secret: string;
  /** The passphrase of the key, where the exchange has one. */
  passphrase?: string;
  /** The kind of the account; absent: the usual kind of that exchange. */
  kind?: string;
  /** Free and locked quantities by asset. */
  balances: Record<string, { free: string; locked?: string }>;
  trades: FakeTrade[];
  mayTrade?: boolean;
  mayWithdraw?: boolean;
  /** Whether the key info says nothing about withdrawals. */
  silent?: boolean;
}
