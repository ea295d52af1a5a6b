/** A media range of an Accept header, as in `text/*`, and its weight from 0 to 1. */
interface MediaRange {
  type: string;
  weight: number;
}

const weightPattern = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * Whether an Accept header gives server-sent events a higher weight than JSON (RFC 9110, 12.4.2 and 12.5.1: the most specific
 * range decides). With equal weights, or without the header, the answer is JSON.
 */
export function prefersEventStream(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes('text/')) return false;
  const ranges = rangesOf(accept);
  return weightOf('text', 'event-stream', ranges) > weightOf('application', 'json', ranges);
}

/** The ranges that can match: those without parameters other than the weight and the charset UTF-8. */
const rangesOf = (accept: string): MediaRange[] =>
  accept.split(',').flatMap((part) => {
    const [type, ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const given = parameters.filter((each) => each !== '' && each !== 'charset=utf-8');
    if (given.length === 0) return [{ type, weight: 1 }];
    return given.length === 1 && weightPattern.test(given[0])
      ? [{ type, weight: Number(given[0].slice(2)) }]
      : [];
  });

/** The weight of a type: that of the most specific range that names it; 0 without one. */
function weightOf(type: string, subtype: string, ranges: readonly MediaRange[]): number {
  const found = [`${type}/${subtype}`, `${type}/*`, '*/*']
    .map((name) => ranges.find((range) => range.type === name))
    .find((range) => range !== undefined);
  return found?.weight ?? 0;
}
