import { averageLinkage } from '../metrics/average-linkage.js';
import { correlation } from '../metrics/correlation.js';
import { field, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';

/** Groups of assets whose mean correlation is below this are not joined. */
export const clusterThreshold = 0.7;

export const assetCluster = field.object('assets that move together', {
  assets: field.list('the assets', field.text('asset symbol')),
  weightPercent: field.number('sum of their weights, in percent; a debt counts negative'),
  averageCorrelation: field.nullable(
    field.number(
      'mean correlation of its pairs of assets; null for a single asset, or where prices do not move',
    ),
  ),
  reason: nullReason,
});

export type AssetCluster = Value<typeof assetCluster>;

/** An asset to be put into a cluster: its weight in a book, and its daily returns, as many as those of the others. */
export interface ClusterMember {
  asset: string;
  weight: number;
  returns: Float64Array;
}

/** The members in groups whose mean correlation is at least the threshold, the group of the largest weight first. */
export function assetClusters(members: readonly ClusterMember[]): AssetCluster[] {
  const correlations = correlationsOf(members);
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
        reason: sound.length > 0 ? null : group.length === 1 ? 'a single asset' : 'prices do not move',
      };
    })
    .sort((a, b) => b.weightPercent - a.weightPercent || (a.assets[0] < b.assets[0] ? -1 : 1));
}

/** The correlation of each member with every other. It is symmetric, so each pair is computed once. */
function correlationsOf(members: readonly ClusterMember[]): (number | null)[][] {
  const rows: (number | null)[][] = members.map(() => []);
  for (let i = 0; i < members.length; i++)
    for (let j = 0; j <= i; j++)
      rows[i][j] = rows[j][i] = correlation(members[i].returns, members[j].returns);
  return rows;
}
