import { seasonClaim } from '../season-claim.js';

/** Where every weekday is alike, no weekday is significant. */
export const seasonalityWeekday = seasonClaim('weekday', { count: 4_000, interval: '1h', quickSeries: 20 });
