import assert from 'node:assert/strict';
import { allAnalyses } from '../../compute/analyses.js';
import { field } from '../../compute/model/field.js';
import { nullReason, nullReasonOf, reasonsOf } from '../../compute/model/null-reason.js';
import { riskCalibrationFields } from '../../compute/model/risk-calibration.js';
import { sweepReport } from '../../compute/backtest/sweep.js';
import { nullablesOf, unexplainedNulls } from '../support/numbers/null-reasons.js';
import { selfEvidentNulls } from '../support/numbers/self-evident-nulls.js';

const nullables = [
  ...allAnalyses.map(({ name, output }) => ({ name, output })),
  { name: 'sweep', output: sweepReport },
  { name: 'risk-calibration', output: field.object('the calibration', riskCalibrationFields) },
].flatMap(({ name, output }) => nullablesOf(output).map((each) => ({ ...each, name })));

describe('what may be null in an answer', () => {
  it('has its reason beside it, or is one of the few that explain themselves', () => {
    const known = new Map(nullables.map(({ name, path, reason }) => [`${name}: ${path}`, reason]));
    const silent = [...known].filter(([, reason]) => reason === null).map(([name]) => name);
    assert.deepEqual(
      silent.filter((name) => !selfEvidentNulls.includes(name)),
      [],
    );
    // Notes are about other figures of the answer.
    const listed = selfEvidentNulls.filter((name) => ![null, 'notes'].includes(known.get(name) ?? null));
    assert.deepEqual(
      [listed, selfEvidentNulls.filter((name) => !known.has(name)), [...selfEvidentNulls]],
      [[], [], selfEvidentNulls.toSorted()],
    );
    assert.ok(nullables.length > 300);
  });

  it('says in its own sentence when it is null where it has no reason', () => {
    const mute = nullables.filter(
      ({ name, path, text }) => selfEvidentNulls.includes(`${name}: ${path}`) && !text.includes('null'),
    );
    assert.deepEqual(
      mute.map(({ name, path, text }) => `${name}: ${path}: ${text}`),
      [],
    );
  });
});

describe('the search for nulls without a reason', () => {
  const answer = field.object('an answer', {
    a: field.nullable(field.number('a')),
    b: field.nullable(field.number('b')),
    bReason: nullReasonOf('b'),
    rows: field.list(
      'rows',
      field.object('a row', { low: field.nullable(field.number('low')), reason: nullReason }),
    ),
    notes: field.list('notes', field.text('a sentence')),
  });
  const sound = { a: 1, b: 1, bReason: null, rows: [{ low: 1, reason: null }], notes: [] };
  const faultsOf = (changes: object) => unexplainedNulls(answer, { ...sound, ...changes });

  it('finds a null without, a reason beside no null, and a null that no note names', () => {
    assert.deepEqual(faultsOf({}), []);
    assert.deepEqual(faultsOf({ b: null }), ['"b" is null, and bReason is null']);
    assert.deepEqual(faultsOf({ b: null, bReason: 'few' }), []);
    assert.deepEqual(faultsOf({ bReason: 'few' }), ['".bReason" is "few", and nothing is null']);
    assert.deepEqual(faultsOf({ a: null }), ['no note names "a"']);
    assert.deepEqual(unexplainedNulls(answer, { ...sound, a: null }, new Set(['a'])), []);
    assert.deepEqual(faultsOf({ a: null, notes: ['a is null: few'] }), []);
    assert.deepEqual(faultsOf({ rows: [{ low: null, reason: null }] }), [
      '"rows[].low" is null, and reason is null',
    ]);
    assert.deepEqual(faultsOf({ rows: [{ low: 1, reason: 'few' }] }), [
      '"rows[].reason" is "few", and nothing is null',
    ]);
  });

  it('joins the reasons that hold', () => {
    assert.equal(reasonsOf(false, null), null);
    assert.equal(reasonsOf('one', false, 'two', null), 'one; two');
  });
});
