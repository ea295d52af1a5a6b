import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../gateway/mcp/catalogue.js';
import { projectRoot } from '../../support/harness/paths.js';

/** A text with an id. */
interface RankedDocument {
  id: string;
  text: string;
}

const k1 = 1.2;
const b = 0.75;

/** Words in lower case, plural and verb endings taken off crudely: enough for English titles. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z\d]+/g) ?? []).map((word) => word.replace(/(?:ies|es|s|ed|ing|al)$/, ''));

/** Ranks documents by Okapi BM25 (Robertson and Zaragoza, 2009): the ids of the best first. */
function bm25(documents: readonly RankedDocument[]): (query: string) => string[] {
  const counted = documents.map(({ id, text }) => {
    const words = wordsOf(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { id, counts, length: words.length };
  });
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const idf = (word: string) => {
    const having = counted.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  };
  return (query) => {
    const words = [...new Set(wordsOf(query))].map((word) => ({ word, weight: idf(word) }));
    const scored = counted.map(({ id, counts, length }) => {
      const score = words.reduce((sum, { word, weight }) => {
        const n = counts.get(word) ?? 0;
        return sum + (weight * n * (k1 + 1)) / (n + k1 * (1 - b + (b * length) / mean));
      }, 0);
      return { id, score };
    });
    return scored.sort((left, right) => right.score - left.score).map(({ id }) => id);
  };
}

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
