import { listingNamed, catalogue } from '../../../mcp/catalogue.js';

const hoursOfUnit: Readonly<Record<string, number>> = {
  s: 1 / 3600,
  m: 1 / 60,
  h: 1,
  d: 24,
  w: 168,
  M: 730,
  y: 8760,
};

/** The hours of a span as tools write it: "15m", "4h", "3M", "1y". NaN for other words. */
export function hoursOfSpan(span: string): number {
  const [, count, unit] = /^(\d+)([smhdwMy])$/.exec(span) ?? [];
  return unit === undefined ? NaN : Number(count) * hoursOfUnit[unit];
}

/** The values that an argument of a tool can have, by its schema; none where the tool has no such argument or it is open. */
export function allowedValues(tool: string, argument: string): readonly string[] {
  const property = listingNamed(tool)?.inputSchema.properties[argument];
  return ((property?.enum ?? []) as unknown[]).map(String);
}

/** The intervals of candles that some tool takes, the shortest first. */
export const servedIntervals: readonly string[] = [
  ...new Set(catalogue.flatMap(({ name }) => allowedValues(name, 'interval'))),
].sort((one, other) => hoursOfSpan(one) - hoursOfSpan(other));

/** The span that is nearest to so many hours. */
export function nearestSpan(spans: readonly string[], hours: number): string | undefined {
  const distance = (span: string) => Math.abs(Math.log(hoursOfSpan(span) / hours));
  const known = spans.filter((span) => !isNaN(hoursOfSpan(span)));
  return known.toSorted((one, other) => distance(one) - distance(other))[0];
}

/** Names as a list in prose: "1h, 4h and 1d". */
export const listed = (names: readonly string[], joint = 'and'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`;
