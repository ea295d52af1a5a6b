import { glossaryTerms } from '../../glossary-terms.js';
import { defineIntent } from '../../intent.js';

export const definitionIntent = defineIntent({
  name: 'definition',
  title: 'what a word of the field means',
  tool: null,
  phrases: [
    'what is {term}',
    'what is a {term}',
    'what does {term} mean',
    'what is meant by {term}',
    'what do you mean by {term}',
    'define {term}',
    'definition of {term}',
    'explain {term}',
    'explain {term} to me',
    'meaning of {term}',
    'what does {term} stand for',
    'i do not understand {term}',
    'what are {term}',
    '{term}',
    'how should i understand {term}',
    'explain {term} to a beginner',
  ],
  needs: { term: 'Which word should I explain?' },
  takes: [],
  args: () => ({}),
  answer: (_, { term = '' }) => ({
    lead: `${term.charAt(0).toUpperCase()}${term.slice(1).replaceAll('_', ' ')}: ${glossaryTerms[term] ?? 'this word is not in the glossary.'}`,
  }),
});
