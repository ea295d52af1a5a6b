import type { Swing } from './swings.js';

/** Swings that turned at nearly the same price. */
export interface SwingCluster {
  /** Their mean, in quote units. */
  price: number;
  swings: Swing[];
}

/**
 * Clusters of at least two swings. The swing with the most others within `reach` takes them all; of several such swings
 * the nearest to `price`. Then the same is done with the remaining swings, so that each swing counts once.
 */
export function clusterSwings(swings: readonly Swing[], reach: number, price: number): SwingCluster[] {
  const clusters: SwingCluster[] = [];
  let left = [...swings].sort((a, b) => Math.abs(a.price - price) - Math.abs(b.price - price));
  for (;;) {
    const around = (centre: Swing) => left.filter((swing) => Math.abs(swing.price - centre.price) <= reach);
    const best = left.map(around).reduce((most, some) => (some.length > most.length ? some : most), []);
    if (best.length < 2) return clusters;
    const mean = best.reduce((sum, swing) => sum + swing.price, 0) / best.length;
    clusters.push({ price: mean, swings: best });
    left = left.filter((swing) => !best.includes(swing));
  }
}
