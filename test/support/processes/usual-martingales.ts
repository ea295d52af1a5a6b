import { clusteredVolatility } from './clustered-volatility.js';
import { independentReturns } from './independent-returns.js';
import { jumps } from './jumps.js';
import type { MarketProcess } from './market-process.js';

/** The markets without a drift on which most intervals are measured. */
export const usualMartingales: readonly MarketProcess[] = [independentReturns, jumps, clusteredVolatility];
