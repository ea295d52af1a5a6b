import {
  pairRelationship as relate,
  type PairRelationship,
  type PairRelationshipParams,
} from '../market/pair-relationship.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** How an asset, the first pair, relates to a second. Throws `invalid_input`, `not_enough_history`. */
export const pairRelationship = defineTask({
  name: 'pair-relationship',
  run: (question: MarketQuestion<PairRelationshipParams>): PairRelationship => relate(question),
});
