import type { JobProgress } from './wire.js';

/** Combines the progress of several requests: each call reports one of them, and `onProgress` receives the mean fraction. */
export function combinedProgress(
  count: number,
  onProgress: (progress: JobProgress) => void,
): (n: number, progress: JobProgress) => void {
  const fractions = new Float64Array(count);
  return (n, { phase, fraction }) => {
    if (fraction <= fractions[n]) return;
    fractions[n] = fraction;
    onProgress({ phase, fraction: fractions.reduce((sum, each) => sum + each, 0) / count });
  };
}
