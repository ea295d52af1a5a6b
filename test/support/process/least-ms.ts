const rounds = 7;
/** Quick works take more turns, because a busy machine may hold up each of a few. */
const leastTotalMs = 300;

/** The CPU time of this process so far, in ms: what other processes take on a busy machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The least CPU times that pieces of work without waiting take, in ms, in their order. They take turns, so that all of them
 * have the same machine; of several times the least is that in which the process did nothing else. Turns end early where the
 * times are enough, but not before the second, in which code is compiled.
 */
export function leastMs(
  works: readonly (() => unknown)[],
  isEnough: (least: number[]) => boolean = () => false,
): number[] {
  const least = works.map(() => Infinity);
  const begun = performance.now();
  for (let round = 0; round < rounds || performance.now() - begun < leastTotalMs; round++) {
    if (round >= 2 && isEnough(least)) break;
    works.forEach((work, index) => {
      const started = cpuMs();
      work();
      least[index] = Math.min(least[index], cpuMs() - started);
    });
  }
  return least;
}
