/** The fees of an exchange on its spot market, in percent of the value of an order: 0.1 means 0.1 %. */
export interface ExchangeFee {
  /** Fee of an order that waits in the order book. */
  makerPercent: number;
  /** Fee of an order that fills at once. */
  takerPercent: number;
  /** The exchange's own page of fees. */
  source: string;
}

/** The day as of which the fees below are valid. */
export const feesAsOf = '2026-11-22';

/** Spot fees of the base tier: without volume, discounts or the exchange's own token. In alphabetical order. */
export const exchangeFees = {
  BINANCE: { makerPercent: 0.1, takerPercent: 0.1, source: 'https://www.binance.com/en/fee/schedule' },
  BITGET: { makerPercent: 0.1, takerPercent: 0.1, source: 'https://www.bitget.com/fee' },
  BYBIT: {
    makerPercent: 0.1,
    takerPercent: 0.1,
    source: 'https://www.bybit.com/en/help-center/article/Trading-Fee-Structure',
  },
  KRAKEN: { makerPercent: 0.25, takerPercent: 0.4, source: 'https://www.kraken.com/features/fee-schedule' },
  KUCOIN: { makerPercent: 0.1, takerPercent: 0.1, source: 'https://www.kucoin.com/vip/level' },
  OKX: { makerPercent: 0.08, takerPercent: 0.1, source: 'https://www.okx.com/fees' },
} as const satisfies Record<string, ExchangeFee>;

/** An exchange whose fees are known. */
export type FeeExchange = keyof typeof exchangeFees;

export const feeExchanges = Object.keys(exchangeFees) as FeeExchange[];

/** The fees as rows, each with its exchange and the day as of which it is valid. */
export const exchangeFeeRows = feeExchanges.map((exchange) => ({
  exchange,
  ...exchangeFees[exchange],
  asOf: feesAsOf,
}));
