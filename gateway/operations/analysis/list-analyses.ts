import { allAnalyses } from '../../../compute/analyses.js';
import { field } from '../../../compute/model/field.js';
import { describedOperation } from './described-operation.js';

const output = {
  analyses: field.list(
    'every analysis, in alphabetical order',
    field.object('an analysis', {
      name: field.text('name: ask with POST /backend/analysis/<name>'),
      title: field.text('title'),
      summary: field.text('what it answers'),
      scope: field.choice('who may ask: anybody, or a signed-in user', ['public', 'user']),
      cost: field.count('points that a request costs'),
    }),
  ),
};

export const listAnalyses = describedOperation({
  id: 'list-analyses',
  summary: 'Every analysis with what it answers, who may ask and what it costs.',
  output,
  async handle() {
    const analyses = allAnalyses.map(({ name, title, summary, scope, cost }) => ({
      name,
      title,
      summary,
      scope,
      cost,
    }));
    return { payload: { analyses } };
  },
});
