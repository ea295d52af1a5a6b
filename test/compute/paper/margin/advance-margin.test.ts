import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { liquidationLevel } from '../../../../compute/paper/margin/liquidation-level.js';
import { freeMargin } from '../../../../compute/paper/margin/margin-money.js';
import { MarginBook, plainTerms, type MarginTexts } from '../../../support/paper/margin-cases.js';
import { abc, wholeRules } from '../../../support/paper/paper-cases.js';

const xyz = { base: 'XYZ', quote: 'USDT' };

/** An account of 1,000 USDT with a position of 1 ABC at 100, opened with a leverage of 10. */
function holding(side: 'long' | 'short', more: MarginTexts = {}, wallet = '1000'): MarginBook {
  const book = new MarginBook(wallet);
  assert.equal(book.place({ side: side === 'long' ? 'buy' : 'sell', ...more }), null);
  book.tick('100');
  assert.equal(book.state.positions.length, 1);
  return book;
}

const wallet = ({ state }: MarginBook) => String(state.wallet);
const quantity = ({ state }: MarginBook) => String(state.positions[0]?.quantity ?? '0');
const free = (book: MarginBook, mode: 'ISOLATED' | 'CROSS' = 'ISOLATED') =>
  String(freeMargin(book.state, book.prices, mode));
const level = ({ state, prices }: MarginBook, n = 0) =>
  String(liquidationLevel(state, state.positions[n], prices, wholeRules));

describe('a margin account', () => {
  it('sets the margin of an order aside, and then that of the position', () => {
    const book = new MarginBook('1000');
    assert.equal(book.place({ quantity: '5' }), null);
    assert.equal(free(book), '950');
    book.tick('100');
    assert.deepEqual([free(book), wallet(book), quantity(book)], ['950', '1000', '5']);
    assert.equal(book.place({ side: 'sell', price: '110', quantity: '2', reduces: true }), null);
    book.tick('110');
    // 2 x 10 gained, and two fifths of the margin are free again.
    assert.deepEqual([free(book), wallet(book), quantity(book)], ['990', '1020', '3']);
  });

  it('gains with a short when the price falls', () => {
    const book = holding('short');
    assert.equal(quantity(book), '-1');
    book.place({ side: 'buy', price: '90', reduces: true });
    book.tick('90');
    assert.deepEqual([wallet(book), free(book), book.state.positions], ['1010', '1010', []]);
  });

  it('takes fees from the wallet, as maker or taker', () => {
    const terms = { ...plainTerms, makerFee: Decimal.parse('0.01'), takerFee: Decimal.parse('0.02') };
    const book = new MarginBook('1000', terms);
    book.place({});
    book.tick('100');
    assert.equal(wallet(book), '998');
    book.place({ side: 'sell', price: '110', reduces: true });
    book.tick('105');
    book.tick('112', { low: '106' });
    // 10 gained, less 1.1.
    assert.equal(wallet(book), '1006.9');
  });

  it('takes a fee that nothing else covers out of the margin of the position', () => {
    const book = new MarginBook('10', { ...plainTerms, takerFee: Decimal.parse('0.02') });
    assert.equal(book.place({}), null);
    book.tick('100');
    assert.deepEqual([wallet(book), String(book.state.positions[0].margin), free(book)], ['8', '8', '0']);
  });

  const refusals: [string, (book: MarginBook) => string | null, RegExp][] = [
    [
      'more than is free',
      (book) => book.place({ quantity: '100.01' }),
      /^the order needs 1000\.1 USDT, and 1000 /,
    ],
    ['a leverage above 125', (book) => book.place({ leverage: 126 }), /from 1 to 125, found 126/],
    ['a leverage below 1', (book) => book.place({ leverage: 0 }), /from 1 to 125, found 0/],
    ['half a leverage', (book) => book.place({ leverage: 1.5 }), /from 1 to 125, found 1\.5/],
    [
      'more than the leverage allows',
      (book) => book.place({ quantity: '500.01', leverage: 125 }),
      /a leverage of 125 is worth at most 50000 USDT/,
    ],
    ['a reduction without a position', (book) => book.place({ reduces: true }), /no position of ABC\/USDT/],
    ['a price off the tick', (book) => book.place({ price: '100.5' }), /not a multiple of 1 above 0/],
  ];
  for (const [title, place, expected] of refusals)
    it(`refuses ${title}`, () => {
      const book = new MarginBook('1000');
      assert.match(place(book) ?? 'taken', expected);
      assert.deepEqual(book.state.orders, []);
    });

  it('counts open orders and the position against what the leverage allows', () => {
    const book = new MarginBook('1000');
    assert.equal(book.place({ quantity: '300', leverage: 125 }), null);
    book.tick('100');
    assert.equal(book.place({ quantity: '100', leverage: 125 }), null);
    assert.match(book.place({ quantity: '101', leverage: 125 }) ?? '', /at most 50000 USDT/);
    assert.equal(book.place({ quantity: '100', leverage: 125 }), null);
  });

  it('never has more of a position in reducing orders than there is, and opens no other side', () => {
    const book = holding('long', { quantity: '2' });
    const sell = (size: string) => book.place({ side: 'sell', price: '120', quantity: size, reduces: true });
    assert.equal(sell('1.5'), null);
    assert.match(sell('1') ?? '', /closes 1, but only 0\.5 of the position are not in other orders/);
    assert.match(book.place({ reduces: true }) ?? '', /no position of ABC\/USDT that a buy would reduce/);
    assert.match(book.place({ side: 'sell' }) ?? '', /on the other side of ABC\/USDT/);
    assert.equal(sell('0.5'), null);
    book.tick('120');
    assert.deepEqual([quantity(book), book.place({ side: 'sell', price: '130' })], ['0', null]);
  });

  it('refuses the other side and another margin mode beside open orders', () => {
    const book = new MarginBook('1000');
    book.place({ price: '90' });
    assert.match(book.place({ side: 'sell', price: '120' }) ?? '', /on the other side/);
    assert.match(book.place({ price: '90', mode: 'CROSS' }) ?? '', /is ISOLATED; an order cannot be CROSS/);
  });

  describe('liquidation', () => {
    // (100 - 10) / (1 - 0.004) = 90.36, and (100 + 10) / (1 + 0.004) = 109.56: rounded to the whole towards the entry.
    it('has a price that rests on margin and maintenance', () => {
      assert.deepEqual([level(holding('long')), level(holding('short'))], ['91', '109']);
      assert.equal(level(holding('long', { leverage: 1 })), 'null');
      assert.equal(level(holding('short', { leverage: 1 })), '199');
      // 3,000 ABC at 100 with 20 times: (300,000 - 15,000 - 1,300) / (3,000 x 0.99) = 95.52.
      assert.equal(level(holding('long', { quantity: '3000', leverage: 20 }, '20000')), '96');
    });

    it('closes the position at that price where a tick passes it, with a fee, and ends the orders of the pair', () => {
      const book = holding('long');
      book.place({ side: 'sell', price: '120', reduces: true });
      book.place({ price: '80' });
      book.tick('92', { high: '99', low: '92' });
      assert.equal(quantity(book), '1');
      book.tick('95', { high: '95', low: '90' });
      // A loss of 9 and a fee of 1 % of 91 above what is left of the margin of 10.
      assert.deepEqual([quantity(book), wallet(book), free(book)], ['0', '990.09', '990.09']);
      assert.deepEqual(book.statuses, ['filled', 'expired', 'expired', 'filled']);
      const last = book.state.orders.at(-1)!;
      assert.deepEqual([last.isLiquidation, last.events[0].reason], [true, 'the position was liquidated']);
    });

    it('costs no more than the margin where a tick jumps over it', () => {
      for (const [side, price] of [
        ['long', '50'],
        ['short', '150'],
      ] as const) {
        const book = holding(side);
        book.tick(price);
        assert.deepEqual([quantity(book), wallet(book)], ['0', '990']);
        const { fill } = book.state.orders.at(-1)!.events[0];
        assert.deepEqual(
          [String(fill!.price), String(fill!.quoteFee)],
          [side === 'long' ? '90' : '110', '0'],
        );
      }
    });

    it('comes after a stop that is reached before it, and before one that lies beyond', () => {
      const near = holding('long');
      near.place({ side: 'sell', type: 'stop', price: null, stopPrice: '95', reduces: true });
      near.tick('99');
      near.tick('90', { high: '99', low: '85' });
      assert.deepEqual([near.statuses, wallet(near)], [['filled', 'filled'], '995']);
      const far = holding('long');
      far.place({ side: 'sell', type: 'stop', price: null, stopPrice: '90', reduces: true });
      far.tick('99');
      far.tick('90', { high: '99', low: '85' });
      assert.deepEqual(far.statuses, ['filled', 'expired', 'filled']);
    });

    it('does not look at prices from before the position was opened', () => {
      const book = new MarginBook('1000');
      book.tick('100');
      book.place({});
      book.tick('100', { high: '101', low: '80' });
      assert.equal(quantity(book), '1');
      book.tick('100');
      assert.equal(quantity(book), '1');
    });

    it('happens once when the tick comes again', () => {
      const book = holding('long');
      const tick = book.tick('90');
      const before = book.state;
      book.play(tick);
      assert.equal(book.state, before);
    });
  });

  describe('in cross mode', () => {
    it('is backed by the whole wallet', () => {
      const book = holding('long', { mode: 'CROSS', quantity: '50' });
      // (5,000 - 1,000) / (50 x 0.996) = 80.3.
      assert.equal(level(book), '81');
      book.tick('82');
      assert.equal(quantity(book), '50');
      book.tick('81');
      assert.equal(quantity(book), '0');
      // 1,000 - 50 x 19 - 1 % of 4,050.
      assert.equal(wallet(book), '9.5');
    });

    it('counts what is gained and lost and not realised: a gain for cross orders alone', () => {
      const book = holding('long', { mode: 'CROSS', quantity: '5' });
      book.tick('120');
      assert.deepEqual([free(book, 'CROSS'), free(book, 'ISOLATED')], ['1050', '950']);
      book.tick('90');
      assert.deepEqual([free(book, 'CROSS'), free(book, 'ISOLATED')], ['900', '900']);
    });

    it('has nothing free, rather than less than nothing, when losses exceed what is not locked', () => {
      const book = holding('long', { mode: 'CROSS', quantity: '50' });
      book.tick('85');
      assert.deepEqual([quantity(book), free(book, 'CROSS'), free(book, 'ISOLATED')], ['50', '0', '0']);
      assert.equal(book.place({ pair: xyz }), 'the order needs 10 USDT, and 0 USDT are free');
    });

    it('closes all cross positions together, at the last prices of the others, and leaves isolated ones', () => {
      const book = holding('long', { mode: 'CROSS', quantity: '50' });
      book.place({ pair: xyz, mode: 'CROSS', quantity: '20', side: 'sell', owner: 'other' });
      book.tick('100', { pair: xyz });
      book.place({ pair: { base: 'ISO', quote: 'USDT' }, quantity: '1' });
      book.tick('100', { pair: { base: 'ISO', quote: 'USDT' } });
      // The short gains 400, so that the long is liquidated later: (5,000 - 990 - 400 + 6.4) / 49.8 = 72.6.
      book.tick('80', { pair: xyz });
      assert.equal(level(book), '73');
      book.tick('74');
      assert.equal(book.state.positions.length, 3);
      book.tick('72');
      assert.deepEqual(
        book.state.positions.map(({ pair }) => pair.base),
        ['ISO'],
      );
      // The gain of 400 less a fee of 16 pays for the loss of 1,400: only the margin of the isolated position is left.
      assert.deepEqual(
        book.state.orders.filter((each) => each.isLiquidation).map(({ pair }) => pair.base),
        ['XYZ', 'ABC'],
      );
      assert.equal(wallet(book), '10');
    });
  });

  describe('funding', () => {
    it('goes from longs to shorts at each funding time, at the price then', () => {
      const [long, short] = [holding('long').at(98), holding('short').at(98)];
      for (const book of [long, short]) book.tick('101');
      assert.deepEqual([wallet(long), wallet(short)], ['998.99', '1001.01']);
      assert.deepEqual(
        [long, short].map(({ state }) => String(state.positions[0].margin)),
        ['8.99', '11.01'],
      );
      for (const book of [long, short]) book.tick('101');
      assert.deepEqual([wallet(long), wallet(short)], ['998.99', '1001.01']);
      // Three funding times that were missed.
      long.at(398).tick('100');
      assert.equal(wallet(long), '995.99');
    });

    it('is interest on margin accounts: both sides pay', () => {
      for (const side of ['buy', 'sell'] as const) {
        const book = new MarginBook('1000', { ...plainTerms, funding: 'interest' });
        book.place({ side });
        book.tick('100');
        book.at(98).tick('100');
        assert.equal(wallet(book), '999');
      }
    });

    it('never takes more than the margin of an isolated position', () => {
      const book = holding('long', { leverage: 1 });
      book.at(100_000).tick('100');
      assert.deepEqual(
        [wallet(book), String(book.state.positions[0]?.margin ?? 'closed')],
        ['900', 'closed'],
      );
    });

    it('pays nothing into a cross account whose wallet is below 0', () => {
      for (const paying of ['between', 'interest'] as const) {
        const book = new MarginBook('1000', { ...plainTerms, funding: paying });
        book.place({ mode: 'CROSS', quantity: '50' });
        book.tick('100');
        book.place({ pair: xyz, mode: 'CROSS', quantity: '20' });
        book.tick('100', { pair: xyz });
        book.tick('160', { pair: xyz });
        book.place({ side: 'sell', price: '75', quantity: '50', reduces: true });
        book.tick('75');
        // 1,000 - 50 x 25; the gain of 20 x 60 on the other pair backs it.
        assert.deepEqual([wallet(book), quantity(book)], ['-250', '20']);
        book.at(98).tick('160', { pair: xyz });
        assert.equal(wallet(book), '-250');
      }
    });

    it('leaves isolated positions their margin when a cross position pays', () => {
      const book = holding('long', { leverage: 1, quantity: '9' });
      book.place({ pair: xyz, mode: 'CROSS', quantity: '1', leverage: 1 });
      book.tick('100', { pair: xyz });
      book.at(100_000).tick('100', { pair: xyz });
      assert.equal(wallet(book), '900');
    });

    it('is not paid for a time at which nothing was held', () => {
      const book = new MarginBook('1000').at(98);
      book.place({});
      book.tick('100');
      book.tick('100');
      assert.deepEqual([wallet(book), abc.base], ['1000', 'ABC']);
    });
  });
});
