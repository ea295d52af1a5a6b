import { averageLinkage } from '../metrics/average-linkage.js';
import { correlation } from '../metrics/correlation.js';

/** Groups of assets whose mean correlation is below this are not joined. */
export const clusterThreshold = 0.7;

/** Assets that move together. */
export interface AssetCluster {
  assets: string[];
  /** The sum of the weights, in percent: what is owed takes off. */
  weightPercent: number;
  /** The mean correlation of its members among each other; null for one alone, or where prices stand still. */
  averageCorrelation: number | null;
}

/** What is sorted into clusters: daily returns, equally long, and the weight in a book. */
export interface ClusterMember {
  asset: string;
  weight: number;
  returns: Float64Array;
}

/** The members in groups whose mean correlation is at least the threshold, the heaviest group first. */
export function assetClusters(members: readonly ClusterMember[]): AssetCluster[] {
  const correlations = members.map((x) => members.map((y) => correlation(x.returns, y.returns)));
  const known = correlations.map((row) => row.map((value) => value ?? 0));
  return averageLinkage(known, clusterThreshold)
    .map((group) => {
      const among = group.flatMap((i, n) => group.slice(n + 1).map((j) => correlations[i][j]));
      const sound = among.filter((value) => value !== null);
      return {
        assets: group.map((i) => members[i].asset),
        weightPercent: group.reduce((sum, i) => sum + members[i].weight, 0) * 100,
        averageCorrelation:
          sound.length > 0 ? sound.reduce((sum, value) => sum + value, 0) / sound.length : null,
      };
    })
    .sort((a, b) => b.weightPercent - a.weightPercent || (a.assets[0] < b.assets[0] ? -1 : 1));
}
