import { seasonClaim } from '../season-claim.js';

/** Where every month is alike, no month is significant, not even after three years, with three returns of each. */
export const seasonalityMonth = seasonClaim('month', { count: 1_200, interval: '1d', quickSeries: 100 });
