import { unknownVersion } from '../../../storage/strategies/saved-strategies.js';
import {
  newestVersion,
  type SavedStrategy,
  type StrategyVersion,
} from '../../../storage/strategies/saved-strategy.js';

/** A version of a strategy by its number; the newest without one. Throws `unknown_strategy` where there is no such version. */
export function versionOfStrategy(strategy: SavedStrategy, version?: number): StrategyVersion {
  if (version === undefined) return newestVersion(strategy);
  const found = strategy.versions.find((each) => each.version === version);
  if (!found) throw unknownVersion(strategy.id, version);
  return found;
}
