import {
  ResourceNotFoundError,
  type Resource,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { indicators } from '../../../compute/indicators/index.js';
import { glossary } from './glossary.js';
import { strategies } from '../../../compute/strategies/index.js';
import type { ParamSpec } from '../../../compute/model/indicator.js';
import { stateColors } from '../../../compute/model/core-line.js';

/** What the trend states mean, for models and people. */
const statesGuide = `# Trend states

Each asset has a trend state on each interval (1h, 4h, 1d), computed on closed candles from the trend line and the readings around it.

| state | colour | meaning |
|---|---|---|
| accumulate | ${stateColors.accumulate} | the asset shows structural strength |
| wait | ${stateColors.wait} | there is no clear directional bias |
| distribute | ${stateColors.distribute} | the asset shows structural weakness |

- A state needs 61 candles of history; before that it is null.
- A state changes on the close of a candle, never within it. get_flip_price says which close would change it next.
- get_flip_history lists past changes with the conditions that held; get_flip_statistics says how long states lasted and what price did afterwards.
- The three intervals may disagree: the longer one is the background, the shorter one the timing. get_trend_state shows all three with an agreement score.
- A state describes the present trend. It is no forecast and no advice.`;

/** A text that clients can give a model to read. */
interface Guide {
  uri: string;
  name: string;
  title: string;
  description: string;
  text: () => string;
}

const all: readonly Guide[] = [
  {
    uri: 'tidemark://guides/glossary',
    name: 'glossary',
    title: 'Glossary',
    description: 'The terms of answers, one line each.',
    text: () => glossary,
  },
  {
    uri: 'tidemark://guides/indicators',
    name: 'indicators',
    title: 'Indicators',
    description: 'Every indicator with its lines, parameters and source.',
    text: () => indicatorGuide(),
  },
  {
    uri: 'tidemark://guides/states',
    name: 'states',
    title: 'Guide to trend states',
    description: 'What accumulate, wait and distribute mean, and when a state changes.',
    text: () => statesGuide,
  },
  {
    uri: 'tidemark://guides/strategies',
    name: 'strategies',
    title: 'Strategies',
    description: 'Every strategy preset with its parameters.',
    text: () => strategyGuide(),
  },
];

/** The guides as clients list them. */
export const guides: Resource[] = all.map(({ uri, name, title, description }) => ({
  uri,
  name,
  title,
  description,
  mimeType: 'text/markdown',
}));

/** The text of a guide. Throws ResourceNotFoundError for an unknown URI. */
export function readGuide(uri: string): TextResourceContents {
  const guide = all.find((each) => each.uri === uri);
  if (!guide) throw new ResourceNotFoundError(uri);
  return { uri, mimeType: 'text/markdown', text: guide.text() };
}

const indicatorGuide = (): string =>
  [
    '# Indicators',
    ...indicators.map(
      ({ name, title, outputs, params, reference }) =>
        `## ${name}\n${title}. Lines: ${outputs.join(', ')}. Parameters: ${paramWords(params)}. Source: ${reference}.`,
    ),
  ].join('\n\n');

const strategyGuide = (): string =>
  [
    '# Strategies',
    ...strategies.map(
      ({ name, title, params }) => `## ${name}\n${title}. Parameters: ${paramWords(params)}.`,
    ),
  ].join('\n\n');

/** Parameters with their ranges, in words. */
function paramWords(specs: Readonly<Record<string, ParamSpec>>): string {
  const words = Object.entries(specs).map(
    ([name, { title, min, max, default: defaultValue }]) =>
      `${name} (${title}; ${min} to ${max}, default ${defaultValue})`,
  );
  return words.join(', ') || 'none';
}
