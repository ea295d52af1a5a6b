import assert from 'node:assert/strict';
import { studentP, welchTest } from '../../../compute/metrics/student.js';
import { assertClose } from '../../support/numbers/close-to.js';

describe('welchTest', () => {
  it('has a p-value that holds of few values: of as many degrees as the smaller sample has values, less one', () => {
    const few = Float64Array.of(1, 4, 3);
    const many = Float64Array.of(5, 6, 7, 5, 9, 8, 6, 7);
    const { t, degrees, p, safeP } = welchTest(few, many)!;
    assert.ok(degrees > 2 && safeP > p);
    assert.equal(safeP, studentP(t, 2));
    assert.equal(welchTest(many, few)!.safeP, safeP);
  });

  it('is what scipy.stats.ttest_ind(equal_var=False) finds', () => {
    const one = Float64Array.of(27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6);
    const other = Float64Array.of(27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8);
    const found = welchTest(one, other)!;
    assertClose(found.t, -2.374305623614057, 't');
    assertClose(found.degrees, 16.330240699516377, 'degrees');
    assertClose(found.p, 0.03015520659108838, 'p');
  });

  it('has an answer where one of the two does not vary', () => {
    const { t, degrees } = welchTest(Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3))!;
    assertClose(t, -1 / Math.sqrt(1 / 3), 't');
    assertClose(degrees, 2, 'degrees');
  });

  it('is null with fewer than two values in either, or where neither varies', () => {
    const pair = Float64Array.of(1, 2);
    assert.equal(welchTest(Float64Array.of(1), pair), null);
    assert.equal(welchTest(pair, new Float64Array(0)), null);
    assert.equal(welchTest(Float64Array.of(1, 1), Float64Array.of(2, 2)), null);
  });
});
