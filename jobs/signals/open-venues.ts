import type { Redis } from 'ioredis';
import { KnownExchanges } from '../../storage/exchanges/known-exchanges.js';
import { LiveVenue } from '../../storage/exchanges/live/live-venue.js';
import { OpenExchanges } from '../../storage/exchanges/open-exchanges.js';
import { PaperVenue } from '../../storage/exchanges/paper/paper-venue.js';
import type { TradingVenue } from '../../storage/exchanges/trading-venue.js';
import { findVenue } from '../../storage/exchanges/venues/index.js';
import type { Storage } from '../../storage/index.js';
import type { Settings } from '../../storage/process/settings.js';

export interface OpenVenuesOptions {
  settings: Settings;
  storage: Storage;
  redis: Redis;
  /** Ends every request to an exchange. */
  signal: AbortSignal;
}

/** The venues that orders go to, by name: the paper exchange, and with live trading each exchange of EXCHANGES that can be traded on. */
export function openVenues({
  settings,
  storage,
  redis,
  signal,
}: OpenVenuesOptions): Map<string, TradingVenue> {
  const { PAPER_BALANCE: startingBalance, MARKET: market } = settings;
  const paper = new PaperVenue({ storage, redis, startingBalance, market });
  const venues = new Map<string, TradingVenue>([[paper.id, paper]]);
  if (settings.LIVE_TRADING === 'off') return venues;
  const known = new KnownExchanges(settings);
  const exchanges = new OpenExchanges({ settings, known, redis, signal });
  for (const { name, id } of known.entries) {
    const venue = findVenue(id);
    if (venue?.trading)
      venues.set(name, new LiveVenue({ name, venue, exchanges, connections: storage.connections }));
  }
  return venues;
}
