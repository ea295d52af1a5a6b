import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../gateway/mcp/catalogue.js';
import { projectRoot } from '../../support/harness/paths.js';
import { bm25 } from '../../support/mcp/bm25.js';

const questions = readFileSync(join(projectRoot, 'test/fixtures/mcp/questions.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [tool: string, question: string]);

/** By the words alone: what a model that understands them does at least as well. */
const rank = bm25(
  catalogue.map(({ name, title, description }) => ({
    id: name,
    text: `${name.replaceAll('_', ' ')} ${title} ${description}`,
  })),
);

describe('the words of the tools', () => {
  it('are asked for by at least 200 questions, each tool by two or more', () => {
    assert.ok(questions.length >= 200, `${questions.length}`);
    for (const { name } of catalogue)
      assert.ok(questions.filter(([tool]) => tool === name).length >= 2, name);
  });

  it('put the right tool among the first three for at least nine questions of ten', () => {
    const missed = questions.filter(([tool, question]) => !rank(question).slice(0, 3).includes(tool));
    const share = 1 - missed.length / questions.length;
    const list = missed.map(
      ([tool, question]) => `${tool}: ${question} -> ${rank(question).slice(0, 3).join(', ')}`,
    );
    assert.ok(share >= 0.9, `${(share * 100).toFixed(1)} %:\n${list.join('\n')}`);
  });
});
