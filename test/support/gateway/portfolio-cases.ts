import { readFixture } from '../candles/fixture.js';

type Tail = [varPercent: number, cvarPercent: number, days: number];

/** A portfolio on daily demo candles that open before `until`, where the days of all `names` count. */
export interface BookCase {
  until: number;
  names: ('BTC' | 'SOL' | 'PEPE')[];
  holdings: Record<string, number>;
  expected: {
    value: number;
    gross: number;
    count: number;
    from: number;
    weights: Record<string, number>;
    riskShares: Record<string, number>;
    betas: Record<string, number>;
    herfindahl: number;
    tail95: Tail;
    tail99: Tail;
    beta: number;
  };
}

export interface ClusterCase {
  similarity: number[][];
  threshold: number;
  groups: number[][];
}

/** Portfolio risk by numpy and clusters by scipy; see test/fixtures/make-portfolio-risk.py. */
export const readPortfolioCases = (): { books: BookCase[]; clusters: ClusterCase[] } =>
  readFixture('portfolio-risk.json.gz') as { books: BookCase[]; clusters: ClusterCase[] };
