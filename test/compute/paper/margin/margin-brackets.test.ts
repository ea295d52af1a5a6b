import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import {
  maintenanceOf,
  marginBrackets,
  mostValueAt,
} from '../../../../compute/paper/margin/margin-brackets.js';

const d = (text: string): Decimal => Decimal.parse(text);

describe('margin brackets', () => {
  // The maintenance amounts that Binance published with these brackets.
  const amounts = [
    '0',
    '50',
    '1300',
    '16300',
    '266300',
    '1266300',
    '2516300',
    '5016300',
    '25016300',
    '100016300',
  ];

  it('take off what keeps the maintenance margin without a jump', () => {
    assert.deepEqual(
      marginBrackets.map(({ deduction }) => String(deduction)),
      amounts,
    );
    for (const { to, rate, deduction } of marginBrackets)
      assert.equal(String(maintenanceOf(to)), String(to.times(rate).minus(deduction)));
  });

  it('tell the maintenance margin of a value', () => {
    const cases = { '10000': '40', '50000': '200', '50001': '200.005', '250000': '1200', '2000000': '33700' };
    for (const [value, expected] of Object.entries(cases))
      assert.equal(String(maintenanceOf(d(value))), expected);
  });

  it('tell the highest value at a leverage', () => {
    const most = [125, 101, 100, 51, 20, 3, 1].map((leverage) => String(mostValueAt(leverage)));
    assert.deepEqual(most, ['50000', '50000', '250000', '250000', '10000000', '200000000', '500000000']);
    assert.equal(mostValueAt(126), null);
  });
});
