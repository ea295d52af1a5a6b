import type { Swing } from './swings.js';

/** Swings that turned at nearly the same price. */
export interface SwingCluster {
  /** Their mean, in quote units. */
  price: number;
  swings: Swing[];
}

/**
 * Prices at which price turned at least twice. The swing with the most others within `reach` of it takes them all (of
 * several the one nearest to `price`), then the same of what is left; each swing counts once.
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
