import assert from 'node:assert/strict';
import { intents } from '../../../../gateway/assistant/analyst/intents.js';
import { collisions } from '../../../../gateway/assistant/analyst/vocabulary/synonyms.js';
import { listingNamed } from '../../../../gateway/mcp/catalogue.js';

const names = intents.map(({ name }) => name);

describe('the intents of the analyst', () => {
  it('have a name each', () => assert.equal(new Set(names).size, names.length));

  it('have a tool of the catalogue, or none', () => {
    const tools = intents.flatMap(({ tool }) => tool ?? []);
    assert.deepEqual(
      tools.filter((tool) => listingNamed(tool) === undefined),
      [],
    );
  });

  it('have six phrases or more, which no other intent has', () => {
    const few = intents
      .filter(({ phrases, name }) => phrases.length < 6 && name !== 'not-here')
      .map(({ name }) => name);
    assert.deepEqual(few, []);
    const owners = new Map<string, string[]>();
    for (const { name, phrases } of intents)
      for (const phrase of phrases) owners.set(phrase, [...(owners.get(phrase) ?? []), name]);
    assert.deepEqual(
      [...owners].filter(([, of]) => of.length > 1),
      [],
    );
  });

  it('name each other where they refer to another', () => {
    const named = intents.flatMap(({ instead = [] }) => instead);
    assert.deepEqual(
      named.filter((name) => !names.includes(name)),
      [],
    );
  });

  it('are compared by synonyms that each stand for one meaning', () => {
    assert.deepEqual(collisions, []);
  });
});
