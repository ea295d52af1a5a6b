export interface StrategyVersion {
  /** From 1. */
  version: number;
  /** Names the rules: equal rules have equal hashes. */
  hash: string;
  /** The rules as JSON, as they were saved. */
  rules: Record<string, unknown>;
  createdAt: Date;
}

/** A strategy that a user has saved. */
export interface SavedStrategy {
  id: string;
  name: string;
  description: string;
  /** The oldest first; at most `mostStrategyVersions`. */
  versions: StrategyVersion[];
  /** The versions that may be read by everyone who knows their hash. */
  shared: number[];
  createdAt: Date;
  updatedAt: Date;
}

/** A shared version, as others see it: never with its owner. */
export interface SharedStrategy {
  name: string;
  hash: string;
  rules: Record<string, unknown>;
}

export const mostStrategyVersions = 50;

/** An id of a saved strategy: `str_` and 100 random bits. */
export const strategyIdPattern = /^str_[a-z2-7]{20}$/;

export const newestVersion = ({ versions }: Pick<SavedStrategy, 'versions'>): StrategyVersion =>
  versions[versions.length - 1];
