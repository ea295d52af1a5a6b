import { defineIntent } from '../../intent.js';

/** Says that what is asked about is not here; the sentence comes from the question. */
export const notHereIntent = defineIntent({
  name: 'not-here',
  title: 'what is not here',
  tool: null,
  phrases: ['{subject}'],
  needs: {},
  takes: [],
  args: () => ({}),
  answer: () => ({ lead: '' }),
});
