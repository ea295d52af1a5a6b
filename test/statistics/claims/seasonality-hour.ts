import { seasonClaim } from '../season-claim.js';

/** Where every hour is alike, no hour is significant. */
export const seasonalityHour = seasonClaim('hour', { count: 4_000, interval: '1h', quickSeries: 20 });
