const minuteMs = 60_000;
const shortestMs = 5 * minuteMs;
const longestMs = 24 * 60 * minuteMs;

/** How long a fetched document is kept, by its Cache-Control: from 5 minutes, to limit fetches, to a day. */
export function documentLifetimeMs(cacheControl: string | null): number {
  const found = /(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*"?(\d{1,10})/i.exec(cacheControl ?? '');
  const given = found ? Number(found[1]) * 1_000 : shortestMs;
  const isFresh = !/no-(?:store|cache)/i.test(cacheControl ?? '');
  return isFresh ? Math.min(longestMs, Math.max(shortestMs, given)) : shortestMs;
}
