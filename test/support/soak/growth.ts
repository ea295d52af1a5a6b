/** What was measured at one time: figures by name, such as `gateway memory, MB`. */
export interface SoakSample {
  at: number;
  figures: Record<string, number>;
}

/** How a figure has changed over the second half of its samples: before it, caches fill and code is compiled. */
export interface Growth {
  name: string;
  /** Medians of the first and of the last third: single peaks do not count. Of a heap the least: what is left after a collection. */
  from: number;
  to: number;
  perHour: number;
  /** How long this half took. A process that was killed begins again. */
  hours: number;
}

const hourMs = 3_600_000;

/** The growth of each figure that has five samples or more, in the order of names. */
export function growthOf(samples: readonly SoakSample[]): Growth[] {
  const names = [...new Set(samples.flatMap(({ figures }) => Object.keys(figures)))].sort();
  return names.flatMap((name) => {
    const all = samples.flatMap(({ at, figures }) =>
      figures[name] === undefined ? [] : [[at, figures[name]] as const],
    );
    const points = all.slice(all.length >> 1);
    if (points.length < 3) return [];
    const third = Math.floor(points.length / 3);
    const [first, last] = [points.slice(0, third), points.slice(-third)];
    const typical = name.endsWith(': heap, MB') ? least : median;
    const [from, to] = [first, last].map((part) => typical(part.map(([, value]) => value)));
    const [start, end] = [first, last].map((part) => median(part.map(([at]) => at)));
    const hours = (points.at(-1)![0] - points[0][0]) / hourMs;
    return [{ name, from, to, perHour: ((to - from) / (end - start)) * hourMs, hours }];
  });
}

/** For how long a process runs: a week between two releases. */
const runsHours = 168;
/** What a process may take at most: 1 GiB is the chart's limit for a gateway, 1,024 files that of many systems. */
const limit = 1_024;

/** What is judged, and by how much it changes without a leak. */
const judged = [
  { what: /: heap, MB$/, steady: 3 },
  // Of a busy process it varies by 5 MB; besides, the young objects of worker threads are in it.
  { what: /: memory/, steady: 16 },
  { what: /: handles$/, steady: 5 },
];

/**
 * What grows that must not: by more than it changes without a leak, and so fast that it meets its limit within a week. It was measured for half
 * an hour or more, by a process that was as old before. Documents of the database are what was asked to be kept.
 */
export const leaksOf = (growth: readonly Growth[]): Growth[] =>
  growth.filter(({ name, from, to, perHour, hours }) => {
    const found = judged.find(({ what }) => what.test(name));
    return (
      found !== undefined && hours >= 0.5 && to - from > found.steady && to + perHour * runsHours > limit
    );
  });

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];
const least = (values: number[]): number => Math.min(...values);
