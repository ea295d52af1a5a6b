import type { StepFault } from './step-fault.js';
import type { ReferenceOutcome, ReferenceState } from '../../compute/model/track-record.js';
import type { TradeSide } from '../../compute/model/risk-assessment.js';
import type { MarginMode, TradingAccount } from '../../compute/model/trading-account.js';

/** The lower end of the entry prices, the middle and the upper end. */
export type EntryLevel = 'min' | 'mid' | 'max';

/** One way into the position. Prices are in quote units; prices and percents are decimals as text. */
export interface SignalEntryTerms {
  /** Which of the entry prices of the API it is. */
  level: EntryLevel;
  type: 'limit' | 'market';
  /** The worst price of the order. */
  price: string;
  /** The other end of the zone; null for a zone without one. */
  zoneEnd: string | null;
  /** Percent of the investment; those of a signal add up to 100. */
  percent: string;
}

/** The terms of a signal at its creation, with the defaults of its channel. Later commands do not change them. */
export interface SignalTerms {
  /** The version of the API that it came by. */
  version: 1 | 2;
  coin: string;
  quote: 'USDT' | 'BTC';
  exchange: string;
  side: TradeSide;
  account: TradingAccount;
  leverage: number;
  marginType: MarginMode;
  entryMode: 'range' | 'split' | 'market';
  entries: SignalEntryTerms[];
  /** In the order in which the price reaches them. */
  targets: string[];
  stopLoss: string | null;
  /** Percent of the quote balance; null: what each subscriber has set. */
  investPercent: string | null;
  /** How long entries wait, from the creation; null: without an end. */
  ttlMs: number | null;
  imageUrls: string[];
  description: string | null;
}

export interface TrailingStopTerms {
  trigger: string;
  /** The worst price at which it sells. */
  limit: string;
}

/** What a command does: an event of compute/signals with decimals as text. */
export type SignalCommandEvent =
  | {
      type: 'take_profit';
      id: string;
      orderType: 'limit' | 'market';
      price: string | null;
      percent: string;
      stop: TrailingStopTerms | null;
    }
  | { type: 'trailing_stop'; stop: TrailingStopTerms }
  | {
      type: 'rebuy';
      id: string;
      min: string;
      max: string;
      /** Percent of the quote balance; null: as much as the signal's entries. The amount differs between subscribers. */
      investPercent: string | null;
      stop: TrailingStopTerms | null;
    }
  | { type: 'dca'; id: string; price: string; multiplier: string }
  | {
      type: 'update_prices';
      /** By leg: `entry-1` is the first entry. */
      entries?: Record<string, { price?: string; zoneEnd?: string | null }>;
      /** By leg: `target-1` is the first target. */
      targets?: Record<string, string>;
      stopLoss?: string;
    }
  | { type: 'cancel' };

/** A later command of the partner. Its index among the commands of the signal is its number. */
export interface SignalCommand {
  at: Date;
  event: SignalCommandEvent;
}

/** A line in the history of a signal. */
export interface SignalLine {
  at: Date;
  type: 'created' | SignalCommandEvent['type'];
  /** In words. */
  cause: string;
}

export type SignalStatus = 'active' | 'cancelled';

/** See `ReferenceOutcome`; `unpriced`: no candles of its pair are stored. */
export type StoredReference = Omit<ReferenceOutcome, 'state' | 'at'> & {
  state: ReferenceState | 'unpriced';
  at: Date | null;
};

/** A signal of a partner: its terms, every later command, and the progress of their delivery to the subscribers. */
export interface PartnerSignal {
  /** The parent_signal_id of the API. Later signals have greater ids. */
  id: string;
  partnerId: string;
  channelId: string;
  createdAt: Date;
  terms: SignalTerms;
  /** In the order in which they came. */
  commands: SignalCommand[];
  status: SignalStatus;
  events: SignalLine[];
  /** The progress of delivery. `after`: the last subscription that was served, null before the first. */
  delivery: { after: string | null; isDone: boolean; delivered: number };
  /** What its levels have brought by market prices alone; absent: not computed yet. */
  reference?: StoredReference;
  /** The idempotency key that it was created with, when it expires, and the SHA-256 of the request. */
  idempotency: { key: string; bodyHash: string; until: Date } | null;
  /** When work on it is due (delivery, or commands to pass on); null when there is none. */
  dueAt: Date | null;
  /** null: the last step of its delivery succeeded. */
  fault: StepFault | null;
  /** Raised by one with each change. */
  revision: number;
}
