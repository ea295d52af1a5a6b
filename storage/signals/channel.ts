import type { TradeSide } from '../../compute/model/risk-assessment.js';

/** The values that a channel adds to signals that do not set them. Percents are decimals as text: `5` means 5 %. */
export interface ChannelDefaults {
  /** Distances of targets from the entry, in the direction that earns money; empty: none. */
  targetPercents: string[];
  /** Distance of the stop from the entry; null: no stop. */
  stopLossPercent: string | null;
  /** Distance of a trailing stop from the entry, which begins with the first fill; null: none. */
  trailingStopPercent: string | null;
  /** The sides that a new subscription follows. */
  sides: TradeSide[];
}

/** A stream of signals of one partner, to which users subscribe. */
export interface Channel {
  id: string;
  partnerId: string;
  /** Unique among the channels of the partner. */
  name: string;
  description: string;
  defaults: ChannelDefaults;
  createdAt: Date;
  /** When an operator has ended its halt last; absent: never. */
  resumedAt?: Date;
}

/** The defaults of a channel that adds nothing to its signals. */
export const noDefaults: ChannelDefaults = {
  targetPercents: [],
  stopLossPercent: null,
  trailingStopPercent: null,
  sides: ['long', 'short'],
};
