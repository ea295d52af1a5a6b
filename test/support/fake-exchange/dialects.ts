import { bybitDialect } from './bybit/bybit-dialect.js';
import type { ExchangeDialect } from './exchange-dialect.js';
import { kucoinDialect } from './kucoin/kucoin-dialect.js';
import { binanceDialect } from './rest/binance-dialect.js';

/** Every exchange that the fake one can be. */
export const dialects = {
  binance: binanceDialect,
  bybit: bybitDialect,
  kucoin: kucoinDialect,
} satisfies Record<string, ExchangeDialect>;

export type DialectName = keyof typeof dialects;
