import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import { catalogue, listingNamed } from '../../../gateway/mcp/catalogue.js';
import { toolNamed } from '../../../gateway/mcp/tools.js';
import { expectedCalls, readQuestions, type Question } from '../../support/assistant/questions.js';

const questions = readQuestions('questions.json');
const turns = questions.flatMap((question) => question.turns.map((turn) => ({ ...turn, question })));
const calls = turns.flatMap(({ expect, question }) =>
  expectedCalls(expect).map((call) => ({ ...call, question })),
);
/** All sets of questions. */
const files = [
  'questions.json',
  'second-questions.json',
  'third-questions.json',
  'development-questions.json',
];
/** The tools that are the assistant itself. */
const asking = ['ask_guest_assistant', 'ask_assistant'];

describe('the questions to the assistant', () => {
  it('are at least 400, each with a name of its own and worded once', () => {
    assert.ok(questions.length >= 400, String(questions.length));
    assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length);
    const worded = questions.map(({ guest, turns }) =>
      JSON.stringify([guest, turns.map(({ ask }) => ask.toLowerCase())]),
    );
    assert.equal(new Set(worded).size, worded.length);
  });

  it('lead to every tool that the assistant can use', () => {
    const used = new Set(calls.map(({ tool }) => tool));
    const usable = catalogue.map(({ name }) => name).filter((name) => !asking.includes(name));
    assert.deepEqual(
      usable.filter((name) => !used.has(name)),
      [],
    );
  });

  for (const file of files)
    it(`of ${file} expect arguments that the tools take, and have a name each`, () => {
      const all = readQuestions(file);
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
      const ajv = new Ajv2020({ strict: false });
      const checks = new Map<string, ValidateFunction>();
      const own = all.flatMap(({ id, turns: each }) =>
        each.flatMap(({ expect }) => expectedCalls(expect).map((call) => ({ ...call, id }))),
      );
      for (const { tool, args, id } of own) {
        const listing = listingNamed(tool);
        assert.ok(listing, `${id}: ${tool}`);
        const check = checks.get(tool) ?? ajv.compile({ ...listing.inputSchema, required: [] });
        checks.set(tool, check);
        assert.ok(check(args), `${id}: ${ajv.errorsText(check.errors)}`);
      }
    });

  it('lead guests to public tools alone', () => {
    const forGuests = calls.filter(({ question }) => question.guest);
    const hidden = forGuests.filter(({ tool }) => toolNamed(tool)?.listing.scope !== 'public');
    assert.deepEqual(hidden, []);
    assert.ok(forGuests.length > 0);
  });

  it('are declined or asked back in a tenth of all cases, for every reason', () => {
    const odd = ({ turns }: Question) =>
      turns.some(({ expect }) => 'declined' in expect || 'asked' in expect);
    const share = questions.filter(odd).length / questions.length;
    assert.ok(share >= 0.1 && share < 0.15, String(share));
    const kinds = new Set(turns.flatMap(({ expect }) => ('declined' in expect ? expect.declined : [])));
    assert.deepEqual([...kinds].sort(), [
      'action',
      'advice',
      'injection',
      'off-topic',
      'other-account',
      'prediction',
      'secret',
      'sign-in',
    ]);
  });
});
