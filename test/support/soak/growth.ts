/** What was measured at one time: figures by name, such as `gateway memory, MB`. */
export interface SoakSample {
  at: number;
  figures: Record<string, number>;
}

/** How a figure has changed over a run. */
export interface Growth {
  name: string;
  /** Medians of the first and of the last third of its samples: single peaks do not count. */
  from: number;
  to: number;
  perHour: number;
  /** For how long it was measured, in hours: a process that was killed begins again. */
  hours: number;
}

const hourMs = 3_600_000;

/** The growth of each figure that has three samples or more, in the order of names. */
export function growthOf(samples: readonly SoakSample[]): Growth[] {
  const names = [...new Set(samples.flatMap(({ figures }) => Object.keys(figures)))].sort();
  return names.flatMap((name) => {
    const points = samples.flatMap(({ at, figures }) =>
      figures[name] === undefined ? [] : [[at, figures[name]] as const],
    );
    if (points.length < 3) return [];
    const third = Math.max(1, Math.floor(points.length / 3));
    const [first, last] = [points.slice(0, third), points.slice(-third)];
    const [from, to] = [first, last].map((part) => median(part.map(([, value]) => value)));
    const [start, end] = [first, last].map((part) => median(part.map(([at]) => at)));
    const hours = (points.at(-1)![0] - points[0][0]) / hourMs;
    return [{ name, from, to, perHour: ((to - from) / (end - start)) * hourMs, hours }];
  });
}

/** Processes fill their caches first. */
const warmHours = 1;

/**
 * What grows that must not: memory and handles that were measured for more than an hour, and were a quarter more in the last third than in
 * the first. Documents of the database are what was asked to be kept.
 */
export const leaksOf = (growth: readonly Growth[]): Growth[] =>
  growth.filter(
    ({ name, from, to, hours }) =>
      /memory|handles/.test(name) && hours > warmHours && to > 1.25 * from && to - from > 5,
  );

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];
