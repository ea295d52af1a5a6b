import { pairRelationship, type PairRelationship } from '../../compute/market/pair-relationship.js';
import type { Candles } from '../../compute/model/candles.js';
import { pairsOf } from '../support/candles/pairs.js';

/** What pair-relationship answers about two series of hourly candles, by default over the usual window. */
export const relatedPair = ([first, second]: readonly Candles[], window = 180): PairRelationship =>
  pairRelationship.run({
    pairs: pairsOf({ A: first, B: second }),
    interval: '1h',
    params: { asset: 'A', secondAsset: 'B', window },
  });
