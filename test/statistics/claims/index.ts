import type { Claim } from '../claim.js';
import { performanceSharpe } from './performance-sharpe.js';

/** Every claim that is measured, in alphabetical order of the names. */
export const claims: readonly Claim[] = [performanceSharpe];
