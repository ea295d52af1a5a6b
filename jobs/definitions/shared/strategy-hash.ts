import { hash } from 'node:crypto';
import { canonicalText } from '../../../compute/rules/canonical-rules.js';

/** The hash of a strategy that `parseStrategy` accepts: equal rules have equal hashes, however they are spelt. */
export const strategyHash = (strategy: unknown): string => hash('sha256', canonicalText(strategy), 'hex');
