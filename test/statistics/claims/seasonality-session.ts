import { seasonClaim } from '../season-claim.js';

/** Where every session is alike, no session is significant. */
export const seasonalitySession = seasonClaim('session', { count: 4_000, interval: '1h', quickSeries: 20 });
