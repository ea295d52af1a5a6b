import { countOf } from '../../../compute/model/count-of.js';
import { listSavedStrategies } from '../../operations/strategies/list-saved-strategies.js';
import { defineExtension } from '../tool.js';

export const listSavedStrategiesTool = defineExtension({
  name: 'list_saved_strategies',
  title: 'List saved strategies',
  description:
    "The user's saved strategies of own rules with id, name, newest version and hash; the one changed last is first. Does not return rules.",
  scope: 'read:analysis',
  toolset: 'research',
  operation: listSavedStrategies,
  headline: ({ strategies, nextCursor }) => {
    const [first] = strategies;
    if (!first) return 'The user has saved no strategy.';
    const more = nextCursor === null ? '' : ', and more follow';
    return `${countOf(strategies.length, 'saved strategy', 'saved strategies')}${more}; changed last: "${first.name}" (${first.id}, version ${first.version}).`;
  },
});
