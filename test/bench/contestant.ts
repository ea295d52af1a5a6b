import { percentile } from './measure.js';

/** Something that computes kernels, or some of them, and is timed at it. */
export interface Contestant {
  title: string;
  /** How long one of so many calls takes, in ns; null where it has no such kernel. */
  time(kernel: string, calls: number): Promise<number | null>;
  close?(): void;
}

/** What is called by name, as somebody to be timed. */
export const contestantOf = (title: string, calls: Record<string, () => unknown>): Contestant => ({
  title,
  time: (kernel, count) => {
    const call = calls[kernel] as (() => unknown) | undefined;
    if (!call) return Promise.resolve(null);
    const started = performance.now();
    for (let n = 0; n < count; n++) call();
    return Promise.resolve(((performance.now() - started) * 1e6) / count);
  },
});

const sampleNs = 10e6;
const budgetNs = 0.7e9;
const fewestRounds = 3;

/**
 * The median time of one call per contestant in ns, null for those without the kernel. They take turns: a round is one
 * sample of each, so that whatever else the machine does meets all. Who is slow makes fewer calls, in fewer rounds.
 */
export async function race(
  contestants: readonly Contestant[],
  kernel: string,
  rounds: number,
): Promise<(number | null)[]> {
  const runners: { contestant: Contestant; calls: number; spentNs: number; samples: number[] }[] = [];
  for (const contestant of contestants) {
    const first = await contestant.time(kernel, 1);
    if (first === null) continue;
    const calls = Math.max(1, Math.min(200, Math.floor(sampleNs / first)));
    runners.push({ contestant, calls, spentNs: 0, samples: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const runner of runners) {
      if (round >= fewestRounds && runner.spentNs > budgetNs) continue;
      const { contestant, calls } = runner;
      const sample = (await contestant.time(kernel, calls))!;
      runner.samples.push(sample);
      runner.spentNs += sample * calls;
    }
  }
  return contestants.map((contestant) => {
    const runner = runners.find((each) => each.contestant === contestant);
    return runner ? percentile(runner.samples, 0.5) : null;
  });
}
