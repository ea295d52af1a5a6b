import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { PairRules } from '../../../../compute/model/pair-rules.js';
import { signalOutlook } from '../../../../gateway/operations/signals/signal-outlook.js';
import { signalTerms } from '../../../support/signals/signal-terms.js';

const rules: PairRules = {
  tickSize: Decimal.parse('0.5'),
  stepSize: Decimal.parse('0.001'),
  minQuantity: Decimal.parse('0.001'),
  minNotional: Decimal.parse('5'),
};
const futures = { account: 'FUTURES', leverage: 10 } as const;

describe('signalOutlook', () => {
  it('tells distances, R multiples and the least balance', () => {
    // Entry 110, stop 90: a risk of 20. 5 % of the balance have to be worth 5.
    assert.deepEqual(signalOutlook(signalTerms, 100, rules), {
      market_price: '100',
      entry_distance_percent: 10,
      risk_percent: 18.1818,
      targets: [
        { price: '120', percent: 9.0909, r: 0.5 },
        { price: '130', percent: 18.1818, r: 1 },
      ],
      liquidation_price: null,
      least_balance: '100',
      tick_size: '0.5',
      warnings: [],
    });
  });

  it('says nothing of what is not known', () => {
    const { market_price, entry_distance_percent, least_balance, tick_size } = signalOutlook(
      signalTerms,
      null,
      null,
    );
    assert.deepEqual(
      [market_price, entry_distance_percent, least_balance, tick_size],
      [null, null, null, null],
    );
  });

  it('counts the smallest share of a split entry, and leverage, for the least balance', () => {
    const entries = ['20', '80'].map((percent) => ({ ...signalTerms.entries[0], zoneEnd: null, percent }));
    assert.equal(signalOutlook({ ...signalTerms, entries }, null, rules).least_balance, '500');
    assert.equal(signalOutlook({ ...signalTerms, ...futures, entries }, null, rules).least_balance, '50');
  });

  for (const [what, terms, price, warnings] of [
    [
      'the market beyond the target',
      {},
      121,
      ['the market is beyond the first target: subscribers would skip the signal'],
    ],
    [
      'the market beyond the stop',
      {},
      90,
      ['the market is beyond the stop: subscribers would skip the signal'],
    ],
    [
      'the market beyond the stop of a short',
      { side: 'short', targets: ['90'], stopLoss: '120' },
      121,
      ['the market is beyond the stop: subscribers would skip the signal'],
    ],
    ['prices off the tick', { targets: ['120.3'] }, null, ['prices are rounded to multiples of 0.5: 120.3']],
    ['no stop', { stopLoss: null }, null, ['there is no stop: the loss is not limited']],
    // (110 - 11) / 0.995
    [
      'a liquidation before the stop',
      futures,
      null,
      ['the position is liquidated at 99.49748744, before the stop'],
    ],
    ['a stop before the liquidation', { ...futures, stopLoss: '99.5' }, null, []],
    // (110 + 11) / 1.005
    [
      'a liquidation before the stop of a short',
      { ...futures, side: 'short', targets: ['90'], stopLoss: '121' },
      null,
      ['the position is liquidated at 120.39800995, before the stop'],
    ],
    ['cross margin', { ...futures, marginType: 'CROSS' }, null, []],
  ] as const)
    it(`warns of ${what}`, () => {
      const given = { ...signalTerms, ...terms } as typeof signalTerms;
      assert.deepEqual(signalOutlook(given, price, rules).warnings, warnings);
    });
});
