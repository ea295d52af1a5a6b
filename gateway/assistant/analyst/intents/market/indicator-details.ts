import type { listIndicators } from '../../../../operations/analysis/list-indicators.js';
import { defineIntent } from '../../intent.js';
import { chosenIndicator } from '../../chosen-indicator.js';
import { joined, sentence } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';

type Details = OutputOf<typeof listIndicators>;

type Detail = Details['indicators'][number];

export const indicatorDetailsIntent = defineIntent<Details>({
  name: 'indicator-details',
  title: 'how an indicator is computed and read',
  tool: 'list_indicators',
  phrases: [
    'how is {indicator} calculated',
    'how do I read the {indicator}',
    'formula of {indicator}',
    'what does {indicator} measure',
    'explain the indicator {indicator}',
    'parameters of {indicator}',
    'what are the default settings of {indicator}',
    'how does the {indicator} work',
    'which settings does {indicator} take',
    'what is the {indicator} indicator',
    'how to interpret {indicator}',
    'what is {indicator}',
    'explain {indicator}',
    'how do you compute the {indicator}',
    'meaning of the {indicator}',
    'what does a high {indicator} mean',
    'what are {indicator}',
    'how do you work out the {indicator}',
    'what goes into the {indicator}',
    'what is {indicator} good for',
    'tell me about the {indicator}',
    'which period does {indicator} use by default',
    'what inputs does {indicator} need',
    'teach me the {indicator}',
    'what does {indicator} tell me',
    'the maths behind {indicator}',
    'what range does the {indicator} have',
    'how should i read a falling {indicator}',
    'how does the {indicator} indicator work',
    'how do you calculate the {indicator}',
    'how many candles does the {indicator} need',
    'warm up length of the {indicator}',
    'tell me how {indicator} works',
    'outputs of the {indicator}',
    'how long is the warm up of {indicator}',
    'what is the idea behind {indicator}',
    'how should i use the {indicator}',
    'what does it mean when {indicator} is high',
    'which values does {indicator} return',
    'what counts as a high {indicator}',
    'settings of {indicator}',
  ],
  needs: { indicator: 'Which indicator do you mean?' },
  takes: [],
  args: ({ indicator = '' }) => ({ name: chosenIndicator(indicator).name }),
  answer: ({ indicators }, { indicator = '' }) => {
    const found = indicators.at(0);
    if (!found) return { lead: `There is no indicator "${indicator}" here.` };
    return {
      lead: `${found.title} (${found.name}): ${found.reading}.`,
      figures: [`${sentence(found.formula)}.`, ...paramWords(found)],
      caveat: `It needs ${found.warmupCandles} ${found.warmupCandles === 1 ? 'candle' : 'candles'} before it has a value.`,
    };
  },
});

const paramWords = ({ params }: Detail): string[] =>
  params.length === 0
    ? []
    : [`Defaults: ${joined(params.map(({ name, default: value }) => `${name} ${value}`))}.`];
