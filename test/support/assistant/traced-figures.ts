import { writeDate } from '../../../gateway/assistant/analyst/format.js';

/** Days and times of day, intervals, and counts in names, which are no figures of an answer. */
const noFigures = [
  /\b\d{1,2} (January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/g,
  /\b\d{2}:\d{2}(:\d{2})?( UTC)?/g,
  /\b(1h|4h|1d)\b/g,
  /"[^"]*"/g,
];

const scales: Readonly<Record<string, number>> = { million: 1e6, billion: 1e9, trillion: 1e12 };

/** The figures of a text, each with the value of half a unit of its last digit. */
function figuresIn(text: string): { value: number; tolerance: number; text: string }[] {
  const plain = noFigures.reduce((left, pattern) => left.replace(pattern, ' '), text);
  return [...plain.matchAll(/(\d[\d,]*(?:\.\d+)?)(?: (million|billion|trillion))?/g)].map(
    ([, found, magnitude]) => {
      const digits = found.replace(/,+$/, '').replaceAll(',', '');
      const decimals = digits.split('.')[1]?.length ?? 0;
      // Zeros at the end of a whole number may stand for rounding to significant digits.
      const zeros = decimals > 0 ? 0 : Math.max(0, /0*$/.exec(digits)![0].length);
      const scale = scales[magnitude] ?? 1;
      return {
        value: Number(digits) * scale,
        tolerance: 0.5000001 * 10 ** (decimals > 0 ? -decimals : zeros) * scale,
        text: found,
      };
    },
  );
}

/** Every number that a value holds: numbers, numbers in texts, and the lengths of lists. */
function numbersOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return (value.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g) ?? []).map(Number);
  if (Array.isArray(value)) return [value.length, ...value.flatMap(numbersOf)];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(numbersOf);
}

/** The figures of a text that are in none of the sources, rounded or not; shares may be told as percentages. */
export function untracedFigures(text: string, ...sources: unknown[]): string[] {
  const known = sources.flatMap(numbersOf).map(Math.abs);
  const isKnown = ({ value, tolerance }: { value: number; tolerance: number }) =>
    known.some((each) => [each, each * 100].some((figure) => Math.abs(figure - value) <= tolerance));
  return figuresIn(text)
    .filter((figure) => !isKnown(figure))
    .map((figure) => figure.text);
}

/** The days of a text that are in none of the sources. */
export function untracedDays(text: string, ...sources: unknown[]): string[] {
  const moments = JSON.stringify(sources).match(/\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?|\b\d{10}(\d{3})?\b/g) ?? [];
  const days = new Set(
    moments.map((each) =>
      writeDate(each.includes('-') ? each : Number(each) * (each.length === 10 ? 1_000 : 1)),
    ),
  );
  const told = text.match(noFigures[0]) ?? [];
  return told.filter((day) => !days.has(day));
}
