import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sharePayment, type PaymentFact, type PaymentHolder } from '../../../compute/ledger/share-payment.js';
import { Decimal } from '../../../compute/model/decimal.js';

const d = (value: string | number): Decimal => Decimal.parse(String(value));

const holder = (
  id: string,
  more: Partial<PaymentHolder>,
  ...fills: [number, string, number][]
): PaymentHolder => ({
  ...{ id, base: 'BTC', quote: 'USDT', side: 'long', leverage: 4 },
  ...more,
  fills: fills.map(([at, quantity, price]) => ({
    side: quantity.startsWith('-') ? 'sell' : 'buy',
    quantity: d(quantity.replace('-', '')),
    price: d(price),
    at,
  })),
});
const funding = (more: Partial<PaymentFact> = {}): PaymentFact => ({
  ...{ kind: 'funding', asset: 'USDT', amount: d('-6'), pair: 'BTC/USDT', basis: null, at: 100 },
  ...more,
});
const shares = (payment: PaymentFact, ...holders: PaymentHolder[]) =>
  [...sharePayment(payment, holders)].map(([id, amount]) => [id, amount.toString()]);

describe('sharePayment', () => {
  it('divides funding by what each execution held at the time', () => {
    const one = holder('one', {}, [1, '1', 100], [50, '1', 100], [60, '-0.5', 100], [101, '9', 100]);
    const other = holder('other', {}, [1, '4.5', 100]);
    const gone = holder('gone', {}, [1, '1', 100], [99, '-1', 100]);
    const another = holder('another pair', { base: 'ETH' }, [1, '1', 100]);
    assert.deepEqual(shares(funding(), one, other, gone, another), [
      ['one', '-1.5'],
      ['other', '-4.5'],
    ]);
    assert.deepEqual(shares(funding({ at: 0 }), one, other), []);
  });

  it('leaves the part of a larger position to what no execution holds', () => {
    const own = holder('own', {}, [1, '2', 100]);
    assert.deepEqual(shares(funding({ basis: d('8') }), own), [['own', '-1.5']]);
    assert.deepEqual(shares(funding({ basis: d('1') }), own), [['own', '-6']]);
  });

  it('gives the other sign to the smaller side of a position', () => {
    const long = holder('long', {}, [1, '3', 100]);
    const short = holder('short', { side: 'short' }, [1, '-1', 100]);
    assert.deepEqual(shares(funding(), long, short), [
      ['long', '-9'],
      ['short', '3'],
    ]);
  });

  it('divides interest by what each execution has borrowed of the asset', () => {
    const interest = { kind: 'interest', pair: null } as const;
    // 300 of 400 and 100 of 200 are borrowed; the short has borrowed BTC.
    const four = holder('four', {}, [1, '4', 100]);
    const two = holder('two', { leverage: 2 }, [1, '4', 100], [2, '-2', 100]);
    const own = holder('own money', { leverage: 1 }, [1, '9', 100]);
    const short = holder('short', { side: 'short' }, [1, '-2', 100]);
    const all = [four, two, own, short];
    assert.deepEqual(shares(funding({ ...interest, amount: d('-8') }), ...all), [
      ['four', '-6'],
      ['two', '-2'],
    ]);
    assert.deepEqual(shares(funding({ ...interest, amount: d('-8'), basis: d('1600') }), ...all), [
      ['four', '-1.5'],
      ['two', '-0.5'],
    ]);
    assert.deepEqual(shares(funding({ ...interest, asset: 'BTC', amount: d('-1') }), ...all), [
      ['short', '-1'],
    ]);
    assert.deepEqual(shares(funding({ ...interest, pair: 'ETH/USDT' }), ...all), []);
  });

  it('gives all of a payment away where nothing else was held', () => {
    const quantity = fc.integer({ min: 1, max: 1_000_000 }).map((n) => n / 1_000);
    fc.assert(
      fc.property(
        fc.array(quantity, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        (quantities, amount) => {
          const holders = quantities.map((each, n) => holder(`h${n}`, {}, [1, String(each), 100]));
          const payment = funding({ amount: d(amount) });
          const sum = Decimal.sum(sharePayment(payment, holders).values());
          assert.ok(Math.abs(Number(sum.minus(payment.amount).toString())) < 1e-12);
        },
      ),
    );
  });
});
