import { groupBy } from '../../../../../compute/model/group-by.js';
import type { listIndicators } from '../../../../operations/analysis/list-indicators.js';
import { defineIntent } from '../../intent.js';
import { sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type Indicators = OutputOf<typeof listIndicators>['indicators'];

export const listIndicatorsIntent = defineIntent<{ indicators: Indicators }>({
  name: 'list-indicators',
  title: 'the indicators that can be asked for',
  tool: 'list_indicators',
  phrases: [
    'which indicators do you have',
    'list of indicators',
    'what indicators can I use',
    'show me all indicators',
    'which technical indicators are supported',
    'names of the indicators',
    'what oscillators do you know',
    'available indicators',
    'indicator list',
    'which trend indicators are there',
    'what can you measure',
    'which indicators do you compute',
    'what indicators are there',
    'which studies do you offer',
    'what can you calculate',
    'how many indicators do you have',
    'which volume indicators do you have',
    'list momentum indicators',
    'do you have volatility indicators',
    'catalogue of indicators',
    'what technical tools do you offer',
    'do you have more oscillators',
    'what other indicators do you have',
    'which averages do you have',
    'what technical studies can you compute',
    'every indicator you offer',
  ],
  needs: {},
  takes: [],
  args: () => ({}),
  answer: ({ indicators }) => ({
    lead: 'These indicators can be asked for.',
    figures: [...groupBy(indicators, ({ kind }) => kind)].map(
      ([kind, group]) => `${sentence(kind)}: ${group.map(({ name }) => name).join(', ')}.`,
    ),
    next: 'Ask how one of them is read, or for its value on an asset.',
  }),
});
