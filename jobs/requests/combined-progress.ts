import type { JobProgress } from './wire.js';

/**
 * Combines the progress of several requests: each call reports one of them, and `onProgress` receives the mean fraction. Until
 * one has begun, the first one stands for all.
 */
export function combinedProgress(
  count: number,
  onProgress: (progress: JobProgress) => void,
): (n: number, progress: JobProgress) => void {
  const fractions = new Float64Array(count);
  let hasBegun = false;
  return (n, progress) => {
    const { phase, fraction } = progress;
    if (n === 0 && fraction === 0 && !hasBegun) onProgress(progress);
    if (fraction <= fractions[n]) return;
    hasBegun = true;
    fractions[n] = fraction;
    onProgress({ phase, fraction: fractions.reduce((sum, each) => sum + each, 0) / count });
  };
}
