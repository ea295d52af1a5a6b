/** An asset of the demo market. Prices are in USDT and rounded to `decimals`. */
export interface DemoAsset {
  base: string;
  /** The starting price, to which the price is weakly pulled back. */
  price: number;
  decimals: number;
  /** Its movement per movement of Bitcoin. */
  beta: number;
  /** Standard deviation of its independent movement in one hour, as a fraction. */
  volatility: number;
  /** Typical turnover of one hour in USDT. */
  turnover: number;
  /** The day of its first candle. */
  listed: string;
  /** Decimals of its price in BTC; absent: it is not traded against BTC. */
  btcDecimals?: number;
}

/** The assets of the demo market. Bitcoin is first: the others move with it. */
export const demoAssets: readonly DemoAsset[] = [
  { base: 'BTC', price: 60_000, decimals: 2, beta: 1, volatility: 0, turnover: 9e7, listed: '2022-01-01' },
  {
    base: 'ETH',
    price: 3_000,
    decimals: 2,
    beta: 1.1,
    volatility: 0.003,
    turnover: 5e7,
    listed: '2022-01-01',
    btcDecimals: 5,
  },
  {
    base: 'BNB',
    price: 500,
    decimals: 1,
    beta: 0.8,
    volatility: 0.003,
    turnover: 9e6,
    listed: '2022-01-01',
    btcDecimals: 6,
  },
  {
    base: 'SOL',
    price: 120,
    decimals: 2,
    beta: 1.4,
    volatility: 0.006,
    turnover: 2e7,
    listed: '2022-01-01',
    btcDecimals: 7,
  },
  {
    base: 'XRP',
    price: 0.9,
    decimals: 4,
    beta: 0.9,
    volatility: 0.005,
    turnover: 1.5e7,
    listed: '2022-01-01',
    btcDecimals: 8,
  },
  { base: 'ADA', price: 0.6, decimals: 4, beta: 1.1, volatility: 0.005, turnover: 6e6, listed: '2022-01-01' },
  {
    base: 'DOGE',
    price: 0.15,
    decimals: 5,
    beta: 1.2,
    volatility: 0.007,
    turnover: 1e7,
    listed: '2022-01-01',
  },
  { base: 'AVAX', price: 40, decimals: 2, beta: 1.3, volatility: 0.006, turnover: 5e6, listed: '2022-01-01' },
  { base: 'LINK', price: 15, decimals: 3, beta: 1.1, volatility: 0.005, turnover: 4e6, listed: '2022-01-01' },
  { base: 'DOT', price: 8, decimals: 3, beta: 1.1, volatility: 0.005, turnover: 4e6, listed: '2022-01-01' },
  {
    base: 'LTC',
    price: 90,
    decimals: 2,
    beta: 0.9,
    volatility: 0.004,
    turnover: 4e6,
    listed: '2022-01-01',
    btcDecimals: 6,
  },
  { base: 'TRX', price: 0.1, decimals: 5, beta: 0.6, volatility: 0.003, turnover: 3e6, listed: '2022-01-01' },
  { base: 'ATOM', price: 10, decimals: 3, beta: 1.1, volatility: 0.005, turnover: 2e6, listed: '2022-01-01' },
  { base: 'NEAR', price: 5, decimals: 3, beta: 1.3, volatility: 0.007, turnover: 3e6, listed: '2022-06-01' },
  {
    base: 'PEPE',
    price: 0.000012,
    decimals: 10,
    beta: 1.3,
    volatility: 0.011,
    turnover: 8e6,
    listed: '2023-05-05',
  },
  { base: 'SUI', price: 1.5, decimals: 4, beta: 1.4, volatility: 0.008, turnover: 4e6, listed: '2023-05-03' },
];
