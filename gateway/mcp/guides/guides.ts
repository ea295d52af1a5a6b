import {
  ResourceNotFoundError,
  type Resource,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { indicators } from '../../../compute/indicators/index.js';
import { paramWords } from './param-words.js';
import { glossary } from './glossary.js';
import { statesGuide } from './states-guide.js';
import { strategies } from '../../../compute/strategies/index.js';

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
