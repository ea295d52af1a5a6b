import type { Venue } from '../venue.js';
import { binance } from './binance/binance.js';
import { bybit } from './bybit/bybit.js';
import { kucoin } from './kucoin/kucoin.js';

/** Every exchange where users can connect accounts, in alphabetical order. */
export const venues: readonly Venue[] = [binance, bybit, kucoin];

/** The venue with a ccxt id; null for an exchange that serves market data only. */
export const findVenue = (id: string): Venue | null => venues.find((venue) => venue.id === id) ?? null;
