/** How long before `at` a time was, as in "3 min ago". Both are ISO 8601. */
export function ago(time: string, at: string): string {
  return `${duration(Math.max(0, secondsBetween(time, at)))} ago`;
}

/** How long after `at` a time is, as in "in 3 min". */
export function ahead(time: string, at: string): string {
  const seconds = secondsBetween(at, time);
  return seconds <= 0 ? 'now' : `in ${duration(seconds)}`;
}

const secondsBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 1_000);

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}
