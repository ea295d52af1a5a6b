import { deepEqual, equal, ok } from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import { ScriptedExchange, type ExchangeHabits } from '../../support/signals/scripted-exchange.js';
import { makeExecution, testRules } from '../../support/signals/make-execution.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import {
  planExecution,
  type FollowSettings,
  type TradeSignal,
} from '../../../compute/signals/plan-execution.js';
import { watchedPrices } from '../../../compute/signals/watched-prices.js';

const d = (text: string) => Decimal.parse(text);
const run = (
  signal: Partial<TradeSignal> = {},
  settings: Partial<FollowSettings> = {},
  habits: Partial<ExchangeHabits> = {},
) => new ScriptedExchange(makeExecution(signal, settings), habits);

const ordersOf = ({ placed }: ScriptedExchange) =>
  placed.map(({ leg, side, type, price, quantity }) =>
    [leg, side, type, price?.toString() ?? '-', quantity.toString()].join(' '),
  );
const outcome = ({ execution, held }: ScriptedExchange) => [execution.status, held.toString()];

describe('execution of a signal: entry', () => {
  it('buys at the upper end when the price enters the zone', () => {
    const exchange = run().path('101', '99.5');
    deepEqual(ordersOf(exchange), ['entry-1 buy limit 100 9']);
    deepEqual(outcome(exchange), ['open', '9']);
  });

  it('waits below the zone until the price comes back in', () => {
    const exchange = run().path('98', '95');
    deepEqual(ordersOf(exchange), []);
    deepEqual(outcome(exchange.tick('99')), ['open', '9']);
  });

  it('enters a zone that lies between two prices of one range', () => {
    const exchange = run();
    exchange.tell({ type: 'tick', price: d('102'), high: d('102'), low: d('99.9') });
    deepEqual(ordersOf(exchange), ['entry-1 buy limit 100 9']);
    equal(exchange.execution.status, 'entry_pending');
  });

  it('divides a split entry over its prices, each its own order', () => {
    const entries = [
      { type: 'limit' as const, price: d('100'), zoneEnd: null, percent: d('50') },
      { type: 'limit' as const, price: d('98'), zoneEnd: null, percent: d('30') },
      { type: 'limit' as const, price: d('96'), zoneEnd: null, percent: d('20') },
    ];
    const exchange = run({ entries }).path('99', '97', '95.5');
    deepEqual(ordersOf(exchange), [
      'entry-1 buy limit 100 4.5',
      'entry-2 buy limit 98 2.755',
      'entry-3 buy limit 96 1.875',
    ]);
  });

  it('leaves of a whole balance what fees beside it cost, and on futures what the worst price may', () => {
    const entries = [{ type: 'limit' as const, price: d('100'), zoneEnd: null, percent: d('100') }];
    const rest = { targets: [], stopLoss: null, investPercent: null, entriesEndAt: null };
    const settings = { maxExposure: d('4'), stopOnExchange: false, maxSlippagePercent: d('0.5') };
    const invested = (rules: Partial<PairRules>, leverage = 1, investPercent = d('100')) => {
      const signal = { side: 'long' as const, leverage, entries, ...rest };
      const plan = planExecution(
        signal,
        { ...settings, investPercent },
        { ...testRules, ...rules },
        d('1000'),
      );
      return 'execution' in plan && Math.floor(Number(String(plan.execution.invested)));
    };
    const futures = { feesIn: 'quote', isReduceExempt: true } as const;
    deepEqual([invested({}), invested({ feesIn: 'base' }), invested({ feesIn: 'quote' })], [1000, 1000, 997]);
    deepEqual([invested(futures), invested(futures, 20), invested(futures, 20, d('50'))], [992, 862, 500]);
  });

  it('is skipped where a fee of 0.25 % would leave less than can be sold at the stop', () => {
    const entries = [{ type: 'limit' as const, price: d('100'), zoneEnd: null, percent: d('100') }];
    const signal = { side: 'long' as const, leverage: 1, entries, targets: [], stopLoss: d('90') };
    const plan = planExecution(
      { ...signal, investPercent: null, entriesEndAt: null },
      { investPercent: d('0.55678'), maxExposure: d('1'), stopOnExchange: true },
      { ...testRules, stepSize: d('0.0000001') },
      d('1000'),
    );
    ok('skipped' in plan && plan.skipped.includes('could not be sold at the stop'));
  });

  it('buys at market only up to the highest price', () => {
    const entries = [{ type: 'market' as const, price: d('100'), zoneEnd: null, percent: d('100') }];
    const exchange = run({ entries }).path('101', '97.5');
    deepEqual(ordersOf(exchange), ['entry-1 buy market 100 9']);
  });

  const limit = { type: 'limit' as const, price: d('100'), zoneEnd: null, percent: d('100') };
  const atMarket = { ...limit, type: 'market' as const };
  const slippage = { maxSlippagePercent: d('0.5') };

  it('has a worst price: that of the signal, or of the slippage that the subscriber allows if it is better', () => {
    for (const [entry, type] of [
      [atMarket, 'market'],
      [limit, 'limit'],
    ] as const) {
      deepEqual(ordersOf(run({ entries: [entry] }, slippage).path('96')), [
        `entry-1 buy ${type} 96.48 9.328`,
      ]);
      deepEqual(ordersOf(run({ entries: [entry] }, slippage).path('99.9')), [`entry-1 buy ${type} 100 9`]);
      const short = run({ side: 'short', entries: [entry] }, slippage).path('104');
      const quantity = type === 'market' ? '8.653' : '8.697';
      deepEqual(ordersOf(short), [`entry-1 sell ${type} 103.48 ${quantity}`]);
      deepEqual(ordersOf(run({ side: 'short', entries: [entry] }, slippage).path('100.1')).length, 1);
    }
  });

  it('tries the rest of an entry at market again at the same worst price while its time lasts', () => {
    const habits = { fillShare: d('0.5') };
    const exchange = run({ entries: [atMarket], entriesEndAt: 60_000 }, slippage, habits).path('96');
    deepEqual([...outcome(exchange), exchange.book.length], ['open', '4.664', 0]);
    // The price has moved above what the entry pays.
    exchange.tick('97').wait(1_000).wait(2_000).wait(4_000);
    deepEqual(outcome(exchange), ['open', '4.664']);
    exchange.tick('96.4').wait(60_000);
    const worst = new Set(exchange.placed.map(({ price }) => String(price)));
    deepEqual([[...worst], exchange.book.length], [['96.48'], 0]);
    equal(exchange.notes.at(-1)!.type, 'entry_withdrawn');
    equal(exchange.held.compare(d('9.328')) <= 0, true);
  });

  it('expires when nobody offers its worst price at market in time, however often it was tried', () => {
    const exchange = run({ entries: [atMarket], entriesEndAt: 30_000 }, slippage);
    // The exchange has no price, so that nothing trades.
    exchange
      .tell({ type: 'tick', price: d('96') })
      .wait(1_000)
      .wait(2_000)
      .wait(4_000);
    deepEqual(ordersOf(exchange), Array(4).fill('entry-1 buy market 96.48 9.328'));
    equal(exchange.wait(30_000).execution.status, 'expired');
  });

  it('is skipped when nobody offers its worst price at market in 20 tries and no time ends it', () => {
    const exchange = run({ entries: [atMarket] }, slippage).tell({ type: 'tick', price: d('96') });
    for (let minute = 0; minute < 60; minute++) exchange.wait(60_000);
    deepEqual([exchange.placed.length, exchange.execution.status], [20, 'skipped']);
    equal(exchange.notes.at(-1)!.cause, 'nobody offered it at 96.48 or better in 20 tries');
  });

  it('withdraws what is not filled when its time ends, and keeps what was bought', () => {
    const exchange = run({ entriesEndAt: 5_000 }, {}, { fillShare: d('0.25') }).path('100', '101');
    deepEqual(outcome(exchange.wait(5_000)), ['open', '2.25']);
    deepEqual(exchange.book, []);
  });

  it('expires when nothing was bought in time', () => {
    const exchange = run({ entriesEndAt: 5_000 }).path('105').wait(4_000);
    equal(exchange.execution.status, 'expired');
  });

  for (const [name, price, cause] of [
    ['first target', '110', 'the first target was reached before the entry'],
    ['stop', '90', 'the stop was reached before the entry'],
  ])
    it(`is skipped when the ${name} is reached before the entry`, () => {
      const exchange = run().path('105', price, '99.5');
      deepEqual([ordersOf(exchange), exchange.execution.status], [[], 'skipped']);
      equal(exchange.notes.at(-1)!.cause, cause);
    });

  it('waits while entries are halted', () => {
    const exchange = run().tell({ type: 'halt', isHalted: true }).path('99.5');
    deepEqual(ordersOf(exchange), []);
    const watched = () => {
      const { worse, better } = watchedPrices(exchange.execution);
      return [String(worse), String(better)];
    };
    deepEqual(watched(), ['90', '110']);
    exchange.tell({ type: 'halt', isHalted: false });
    deepEqual(watched(), ['100', '110']);
    deepEqual(outcome(exchange.path('99.5')), ['open', '9']);
  });

  it('buys nothing more while entries are halted, not even by an order that stands', () => {
    const exchange = run({}, {}, { fillShare: d('0.5') }).path('100');
    deepEqual([exchange.book.length, ...outcome(exchange)], [1, 'open', '4.5']);
    exchange.tell({ type: 'halt', isHalted: true });
    deepEqual(exchange.book, []);
    equal(exchange.notes.at(-1)!.type, 'entry_halted');
    deepEqual(outcome(exchange.path('99.5', '99.8')), ['open', '4.5']);
    exchange.tell({ type: 'halt', isHalted: false });
    deepEqual(outcome(exchange.path('99.5', '99.5')), ['open', '9']);
  });

  it('places no refused entry anew while entries are halted', () => {
    const exchange = run().tell({ type: 'tick', price: d('102'), low: d('100'), high: d('102') });
    const expired = { type: 'order', leg: 'entry-1', revision: 1, status: 'expired', filled: Decimal.zero };
    exchange.tell(expired as Parameters<typeof exchange.tell>[0]);
    exchange.tell({ type: 'halt', isHalted: true }).wait(5_000);
    equal(exchange.placed.length, 1);
    equal(exchange.execution.entries[0].state, 'waiting');
  });

  it('expires although a DCA level and a rebuy zone wait for a position', () => {
    const exchange = run({ entriesEndAt: 5_000 }).path('105');
    exchange.tell({ type: 'dca', id: 'dca-1', price: d('96'), multiplier: d('1') });
    exchange.tell({ type: 'rebuy', id: 'rebuy-1', min: d('94'), max: d('95'), amount: d('475'), stop: null });
    deepEqual(outcome(exchange.wait(4_000)), ['expired', '0']);
  });

  it('invests its amount once when the entry is filled while its price is moved', () => {
    const exchange = run({}, {}, { isLate: true }).path('102', '99.5');
    equal(exchange.held.toString(), '9');
    exchange.tell({ type: 'update_prices', entries: { 'entry-1': { price: d('95'), zoneEnd: null } } });
    exchange.path('99', '94', '94');
    deepEqual(outcome(exchange), ['open', '9']);
    equal(exchange.placed.length, 1);
  });

  it('invests the rest of its amount at the new price when a part is filled while its price is moved', () => {
    const exchange = run({}, {}, { isLate: true, fillShare: d('0.5') }).path('102', '100');
    equal(exchange.held.toString(), '4.5');
    exchange.tell({ type: 'update_prices', entries: { 'entry-1': { price: d('90.1'), zoneEnd: null } } });
    exchange.path('99', '90.1');
    // 450 of 900 were spent on the first order.
    equal(ordersOf(exchange).at(-1), 'entry-1 buy limit 90.1 4.994');
  });

  it('counts an end of an order as one refusal, however often it is told', () => {
    const exchange = run();
    exchange.tell({ type: 'tick', price: d('102'), low: d('100'), high: d('102') });
    const expired = {
      type: 'order',
      leg: 'entry-1',
      revision: 1,
      status: 'expired',
      filled: d('4'),
    } as const;
    exchange.tell(expired).tell(expired).tell(expired);
    equal(exchange.execution.refusals['entry-1'].count, 1);
    equal(exchange.execution.entries[0].state, 'armed');
  });

  it('does not count an order that was cancelled as refused when its end is told again', () => {
    const exchange = run();
    exchange.tell({ type: 'tick', price: d('102'), low: d('100'), high: d('102') });
    const { execution } = exchange;
    const cancel = advanceExecution(execution, { type: 'cancel', at: 1_000 }).execution;
    const cancelled = { type: 'order', leg: 'entry-1', revision: 1, status: 'cancelled', at: 1_000 } as const;
    const told = advanceExecution(cancel, { ...cancelled, filled: d('4') });
    const again = advanceExecution(told.execution, { ...cancelled, filled: d('4') });
    deepEqual([again.notes, again.execution.refusals], [[], {}]);
  });

  it('is rejected when the exchange refuses the only entry', () => {
    const exchange = run();
    exchange.tell({ type: 'tick', price: d('102'), low: d('100'), high: d('102') });
    exchange.tell({ type: 'order', leg: 'entry-1', revision: 1, status: 'rejected', filled: Decimal.zero });
    equal(exchange.execution.status, 'rejected');
  });
});

describe('execution of a signal: exit', () => {
  it('is sold in smaller parts where the exchange refuses to sell all of it at once', () => {
    const exchange = run().path('101', '99.5');
    exchange.refuses = ({ quantity }) =>
      quantity.compare(d('3')) > 0 ? 'the quantity is too large for the book' : null;
    exchange.tell({ type: 'close', cause: 'the user closed it' });
    for (let n = 0; n < 60; n++) exchange.wait(5_000);
    deepEqual(outcome(exchange), ['closed', '0']);
  });

  it('tells once that the exchange does not let it be sold, and tries again after pauses that grow to 5 minutes', () => {
    const exchange = run().path('101', '99.5');
    exchange.refuses = () => 'the symbol is not traded';
    exchange.tell({ type: 'close', cause: 'the user closed it' });
    for (let n = 0; n < 60; n++) exchange.wait(60_000);
    const lines = exchange.notes.filter(({ type }) => type === 'close_refused');
    equal(lines.length, 1);
    ok(lines[0].cause.includes('the symbol is not traded'));
    const closes = exchange.placed.filter(({ leg }) => leg === 'close').length;
    // Of an hour.
    ok(closes > 12 && closes < 25, String(closes));
    exchange.refuses = () => null;
    exchange.wait(300_000);
    deepEqual(outcome(exchange), ['closed', '0']);
  });

  it('tells of each trade that sells more than is left how much that is, and of no purchase after it', () => {
    let { execution } = run().path('101', '99.5');
    const trade = (tradeId: string, leg: string, quantity: string) => {
      const fees = { baseFee: Decimal.zero, quoteFee: Decimal.zero };
      const fill = {
        type: 'fill',
        leg,
        revision: 1,
        tradeId,
        quantity: d(quantity),
        price: d('95'),
      } as const;
      const told = advanceExecution(execution, { ...fill, ...fees, at: 1_000 });
      execution = told.execution;
      return told.notes.filter(({ type }) => type === 'oversold').map(({ figures }) => figures?.quantity);
    };
    deepEqual(
      [
        trade('a', 'stop', '9'),
        trade('b', 'stop', '2'),
        trade('c', 'close', '1'),
        trade('d', 'entry-1', '1'),
      ],
      [[], ['2'], ['1'], []],
    );
    equal(execution.position.quantity.toString(), '-2');
  });

  it('buys back with a short the fee that is taken from what it buys', () => {
    for (const [path, quantities] of [
      [
        ['100.5', '110'],
        ['9', '9.009'],
      ],
      [
        ['100.5', '89', '79', '69'],
        ['9', '3.003', '3.003', '3.003'],
      ],
    ] as const) {
      const execution = makeExecution({ side: 'short' });
      const rules = { ...execution.rules, feesIn: 'base' as const };
      const exchange = new ScriptedExchange({ ...execution, rules }, { baseFeeRate: d('0.001') });
      exchange.path(...path);
      deepEqual(
        exchange.placed.map(({ quantity }) => quantity.toString()),
        quantities,
      );
      deepEqual(outcome(exchange), ['closed', '-0.000009']);
      equal(exchange.execution.position.quantity.toString(), '0.000009');
      equal(
        exchange.notes.some(({ type }) => type === 'oversold'),
        false,
      );
    }
  });

  it('counts a trade that two of its orders made with each other for both', () => {
    const { execution } = run().path('99.5');
    const fees = { baseFee: Decimal.zero, quoteFee: Decimal.zero };
    const fill = { type: 'fill', revision: 1, quantity: d('1'), price: d('99'), ...fees, at: 5 } as const;
    const [bought, sold] = ['entry-1', 'target-1'].map((leg) => ({ ...fill, leg, tradeId: 'both' }));
    const both = [sold, bought, sold, bought];
    const { position } = both.reduce((now, event) => advanceExecution(now, event).execution, execution);
    deepEqual([position.entered, position.exited].map(String), ['10', '1']);
  });

  it('sells even parts at the targets, the rest at the last', () => {
    const exchange = run({}, {}, { baseFeeRate: d('0.001') }).path('99.5', '110', '121', '135');
    deepEqual(ordersOf(exchange).slice(1), [
      'target-1 sell limit 110 2.997',
      'target-2 sell limit 120 2.997',
      'target-3 sell limit 130 2.997',
    ]);
    deepEqual(outcome(exchange), ['closed', '0']);
  });

  it('reaches several targets in one gap', () => {
    const exchange = run().path('99.5', '125');
    deepEqual(ordersOf(exchange).slice(1), ['target-1 sell limit 110 3', 'target-2 sell limit 120 3']);
  });

  it('leaves a part below the minimum of the exchange to the next target', () => {
    const exchange = run({ investPercent: d('0.1') }).path('99.5', '111', '121', '131');
    deepEqual(ordersOf(exchange), [
      'entry-1 buy limit 100 0.09',
      // What is left could not be sold at the stop of 90.
      'target-2 sell limit 120 0.09',
    ]);
    deepEqual(outcome(exchange), ['closed', '0']);
  });

  it('offers what is worth too little at market when nothing else is waited for', () => {
    const exchange = run({ stopLoss: null }).path('99.5');
    exchange.tell({ type: 'balance', held: d('0.03') }).path('110', '120');
    equal(exchange.execution.status, 'open');
    exchange.path('130');
    equal(ordersOf(exchange).at(-1), 'close sell market - 0.03');
    deepEqual([exchange.execution.status, String(exchange.execution.position.quantity)], ['closed', '0']);
  });

  it('ends with what is less than one step', () => {
    const exchange = run({ stopLoss: null }).path('99.5');
    exchange.tell({ type: 'balance', held: d('0.0009') }).path('110', '120', '130');
    equal(exchange.execution.status, 'closed');
    equal(exchange.notes.at(-2)!.type, 'dust');
  });

  it('watches a position that the exchange refuses as too small at its stop, and sells it once it is worth enough', () => {
    let { execution } = run().path('99.5');
    const orders: string[] = [];
    const tell = (event: Parameters<typeof advanceExecution>[1]) => {
      const step = advanceExecution(execution, event);
      execution = step.execution;
      orders.push(...step.place.map(({ leg, type, quantity }) => `${leg} ${type} ${quantity.toString()}`));
      for (const { leg, revision } of step.place)
        if (orders.length < 4)
          tell({ type: 'order', leg, revision, status: 'rejected', filled: Decimal.zero, at: event.at });
    };
    tell({ type: 'balance', held: d('0.052'), at: 1_000 });
    for (const at of [2_000, 4_000, 8_000, 16_000]) tell({ type: 'tick', price: d('90'), at });
    deepEqual([orders.length, execution.status], [3, 'closing']);
    // 0.052 are worth 5 at 96.1538...
    equal(String(watchedPrices(execution).better).slice(0, 7), '96.1538');
    tell({ type: 'tick', price: d('96'), at: 20_000 });
    equal(orders.length, 3);
    tell({ type: 'tick', price: d('96.2'), at: 21_000 });
    equal(orders[3], 'close market 0.052');
  });

  it('closes any rest of a futures position, however little it is worth', () => {
    const execution = makeExecution({}, { stopOnExchange: true });
    const futures = { ...execution, rules: { ...execution.rules, isReduceExempt: true } };
    const exchange = new ScriptedExchange(futures).path('99.5').tell({ type: 'balance', held: d('0.01') });
    equal(ordersOf(exchange).at(-1), 'stop sell stop - 0.01');
    exchange.path('90');
    deepEqual([exchange.execution.status, String(exchange.execution.position.quantity)], ['closed', '0']);
  });

  it('skips what could not be sold at its stop before anything is bought', () => {
    const plan = (stopLoss: string) => {
      try {
        return makeExecution({ investPercent: d('0.06'), stopLoss: d(stopLoss) }).status;
      } catch (error) {
        return (error as Error).message;
      }
    };
    equal(plan('95'), 'queued');
    equal(
      plan('90'),
      'the investment of 5.4 could not be sold at the stop of 90: it would be below the minimum of the exchange',
    );
  });

  it('orders no target that the exchange would refuse after the user has sold elsewhere', () => {
    const exchange = run({}, {}, { fillShare: d('0.1') }).path(
      '99.5',
      ...Array<string>(9).fill('99.5'),
      '110',
    );
    equal(ordersOf(exchange).at(-1), 'target-1 sell limit 110 3');
    exchange.tell({ type: 'balance', held: d('0.04') });
    deepEqual([exchange.book, exchange.placed.length], [[], 2]);
    exchange.path('89', ...Array<string>(9).fill('89'));
    equal(exchange.execution.status, 'closed');
  });

  it('sells all at market at the stop', () => {
    const exchange = run().path('99.5', '110', '89');
    deepEqual(ordersOf(exchange).slice(1), ['target-1 sell limit 110 3', 'close sell market - 6']);
    deepEqual(outcome(exchange), ['closed', '0']);
  });

  describe('when the exchange refuses its orders', () => {
    /** Refuses each order of a leg until no more come within an hour; answers how many there were. */
    const refuseAll = (exchange: ScriptedExchange, leg: string) => {
      for (let n = 0; n < 100; n++) {
        const order = exchange.book.find((each) => each.leg === leg);
        if (!order) return n;
        const { revision } = order;
        exchange.tell({ type: 'order', leg, revision, status: 'rejected', filled: Decimal.zero });
        exchange.drop(order).wait(60_000);
      }
      throw new Error(`${leg} is ordered without end`);
    };
    const reached = (targets: string[], more: Partial<TradeSignal> = {}) => {
      const exchange = run({ targets: targets.map(d), ...more }, {}, { isLate: true }).path('99.5', '99.5');
      return exchange.tell({ type: 'tick', price: d('105'), high: d('110'), low: d('105') });
    };

    it('withdraws a target, and leaves its part to the next one', () => {
      const exchange = reached(['110', '120']);
      equal(refuseAll(exchange, 'target-1'), 20);
      const { cause } = exchange.notes.find(({ type }) => type === 'target_withdrawn')!;
      equal(cause, 'the exchange refused 20 of its orders in a row');
      deepEqual(outcome(exchange.path('121', '121')), ['closed', '0']);
      equal(ordersOf(exchange).at(-1), 'target-2 sell limit 120 9');
    });

    it('leaves the part of the last target to the stop', () => {
      const exchange = reached(['110']);
      equal(refuseAll(exchange, 'target-1'), 20);
      equal(exchange.execution.status, 'open');
      deepEqual(outcome(exchange.path('89', '89')), ['closed', '0']);
    });

    it('sells at market when neither a target nor a stop is left', () => {
      const exchange = reached(['110'], { stopLoss: null });
      equal(refuseAll(exchange, 'target-1'), 20);
      equal(ordersOf(exchange).at(-1), 'close sell market - 9');
      deepEqual(outcome(exchange.path('105')), ['closed', '0']);
    });

    it('sells at market when it refuses the limit of a stop', () => {
      const exchange = run({}, {}, { isLate: true }).path('99.5', '99.5');
      exchange.tell({ type: 'trailing_stop', stop: { trigger: d('95'), limit: d('94') } });
      exchange.tick('93');
      for (let n = 0; n < 3; n++) {
        const [order] = exchange.book;
        equal(String(order.price), '94');
        const { leg, revision } = order;
        exchange.tell({ type: 'order', leg, revision, status: 'rejected', filled: Decimal.zero });
        exchange.drop(order).wait(2_000 * n + 1_000);
      }
      deepEqual(outcome(exchange.path('93')), ['closed', '0']);
    });
  });

  it('sells at market at a stop whose limit is worth less than the exchange accepts', () => {
    const exchange = run().path('99.5');
    exchange.tell({ type: 'trailing_stop', stop: { trigger: d('95'), limit: d('0.01') } });
    deepEqual(outcome(exchange.path('94')), ['closed', '0']);
    equal(ordersOf(exchange).at(-1), 'close sell market - 9');
  });

  it('withdraws entries that are not filled when a target is reached', () => {
    const exchange = run({}, {}, { fillShare: d('0.5') }).path('100', '110', '100', '100');
    deepEqual(
      exchange.execution.entries.map(({ state, filled }) => [state, filled.toString()]),
      [['withdrawn', '4.5']],
    );
  });

  it('keeps the stop on the exchange at the size of what no target sells', () => {
    const exchange = run({}, { stopOnExchange: true }).path('99.5', '110');
    deepEqual(ordersOf(exchange), [
      'entry-1 buy limit 100 9',
      'stop sell stop - 9',
      // The position is never without its stop, so the stop makes room first.
      'stop sell stop - 6',
      'target-1 sell limit 110 3',
    ]);
    deepEqual(outcome(exchange.tick('89.99')), ['closed', '0']);
    equal(exchange.placed.length, 4);
  });

  it('sells otherwise when the stop order on the exchange does not sell in time', () => {
    const exchange = run({}, { stopOnExchange: true }, { fillShare: d('0.1') }).path('99.5');
    exchange.path(...Array<string>(9).fill('99.5'), '90');
    equal(exchange.execution.status, 'closing');
    exchange.wait(3_000).path('90', '90', '90', '90', '90', '90', '90', '90', '90', '90');
    deepEqual(outcome(exchange), ['closed', '0']);
    equal(ordersOf(exchange).at(-1), 'close sell market - 8.1');
  });
});

describe('execution of a signal: commands', () => {
  const stop = { trigger: d('95'), limit: d('94') };

  it('follows the price with a trailing stop that never falls, and sells not below its limit', () => {
    const exchange = run().path('100').tell({ type: 'trailing_stop', stop });
    const triggers = ['104', '103', '108', '104'].map((price) =>
      exchange.tick(price).execution.stop!.trigger.toString(),
    );
    deepEqual(triggers, ['99', '99', '103', '103']);
    exchange.tick('101');
    deepEqual(ordersOf(exchange).slice(1), ['close sell limit 102 9']);
    deepEqual(outcome(exchange), ['closing', '9']);
    deepEqual(outcome(exchange.tick('102')), ['closed', '0']);
  });

  it('activates a trailing stop given before the purchase with the first fill', () => {
    const exchange = run().path('104').tell({ type: 'trailing_stop', stop }).path('100', '106');
    equal(exchange.execution.stop!.trigger.toString(), '101');
  });

  it('refuses a trailing stop before the purchase that would sell it at once', () => {
    const exchange = run()
      .path('104')
      .tell({ type: 'trailing_stop', stop: { trigger: d('102'), limit: d('101') } });
    deepEqual([exchange.execution.pendingStop, exchange.notes.at(-1)!.type], [null, 'command_refused']);
    equal(exchange.path('100').execution.status, 'open');
  });

  it('keeps a trailing stop that waits for the purchase when the stop loss moves, and tightens it', () => {
    const exchange = run().path('104').tell({ type: 'trailing_stop', stop });
    exchange.tell({ type: 'update_prices', stopLoss: d('92') });
    deepEqual([exchange.execution.stop!.trigger, exchange.execution.pendingStop!.trigger].map(String), [
      '92',
      '95',
    ]);
    exchange.tell({ type: 'update_prices', stopLoss: d('96') });
    const { pendingStop } = exchange.execution;
    deepEqual([pendingStop!.trigger, pendingStop!.limit].map(String), ['96', '95']);
    exchange.path('100', '106');
    deepEqual([String(exchange.execution.stop!.trigger), exchange.execution.pendingStop], ['102', null]);
  });

  it('sells a part at market and puts the rest under a trailing stop', () => {
    const exchange = run().path('100', '105');
    exchange.tell({
      type: 'take_profit',
      id: 'tp-1',
      orderType: 'market',
      price: null,
      percent: d('40'),
      stop,
    });
    deepEqual(ordersOf(exchange).slice(1), ['tp-1 sell market - 3.6']);
    exchange.path('115', '103.5');
    deepEqual(outcome(exchange), ['closing', '5.4']);
    equal(ordersOf(exchange).at(-1), 'close sell limit 104 5.4');
  });

  it('protects the position with the trailing stop when the part to sell is below the minimum', () => {
    const exchange = run().path('100', '105');
    const part = {
      type: 'take_profit',
      id: 'tp-1',
      orderType: 'market',
      price: null,
      percent: d('0.1'),
    } as const;
    exchange.tell({ ...part, stop });
    deepEqual(ordersOf(exchange).slice(1), []);
    equal(exchange.execution.stop!.trigger.toString(), '95');
    deepEqual(
      exchange.notes.slice(-2).map(({ type, cause }) => [type, cause]),
      [
        ['target_withdrawn', 'its part is below what the exchange accepts'],
        ['stop_set', 'the stop follows the price'],
      ],
    );
    deepEqual(outcome(exchange.path('110', '99')), ['closed', '0']);
  });

  it('replaces the targets that are not reached', () => {
    const exchange = run().path('100', '110');
    exchange.tell({
      type: 'take_profit',
      id: 'tp-1',
      orderType: 'limit',
      price: d('115'),
      percent: d('100'),
      stop: null,
    });
    deepEqual(outcome(exchange.path('114', '116')), ['closed', '0']);
    deepEqual(ordersOf(exchange).slice(1), ['target-1 sell limit 110 3', 'tp-1 sell limit 115 6']);
  });

  it('buys again in a rebuy zone and covers the combined position', () => {
    const exchange = run().path('100');
    exchange.tell({ type: 'rebuy', id: 'rebuy-1', min: d('94'), max: d('95'), amount: d('475'), stop: null });
    exchange.path('94.5', '110');
    deepEqual(ordersOf(exchange).slice(1), ['rebuy-1 buy limit 95 5', 'target-1 sell limit 110 4.666']);
  });

  it('refuses a rebuy zone above the average entry', () => {
    const exchange = run().path('100');
    exchange.tell({
      type: 'rebuy',
      id: 'rebuy-1',
      min: d('100'),
      max: d('101'),
      amount: d('475'),
      stop: null,
    });
    equal(exchange.notes.at(-1)!.type, 'command_skipped');
    equal(exchange.execution.entries.length, 1);
  });

  it('buys once at each DCA level, within the limit of the investment', () => {
    const exchange = run().path('100');
    exchange.tell({ type: 'dca', id: 'dca-1', price: d('96'), multiplier: d('2') });
    exchange.tell({ type: 'dca', id: 'dca-2', price: d('92'), multiplier: d('2') });
    exchange.path('95', '97', '95', '91');
    deepEqual(ordersOf(exchange).slice(1), ['dca-1 buy limit 96 18.75', 'dca-2 buy limit 92 9.986']);
  });

  it('moves prices of entries, targets and stop that are not reached', () => {
    const exchange = run();
    const entries = { 'entry-1': { price: d('105'), zoneEnd: d('103') } };
    exchange.tell({ type: 'update_prices', entries, targets: { 'target-1': d('112') }, stopLoss: d('98') });
    exchange.path('104', '111', '97');
    deepEqual(ordersOf(exchange), ['entry-1 buy limit 105 8.571', 'close sell market - 8.571']);
  });

  it('does not loosen a trailing stop by a new stop loss', () => {
    const exchange = run().path('100').tell({ type: 'trailing_stop', stop }).path('105');
    exchange.tell({ type: 'update_prices', stopLoss: d('91') });
    equal(exchange.execution.stop!.trigger.toString(), '100');
  });

  it('withdraws everything and sells at market when it is cancelled, once', () => {
    const exchange = run({}, { stopOnExchange: true }, { fillShare: d('0.5') }).path('100');
    exchange.tell({ type: 'cancel' }).tell({ type: 'cancel' }).path('100', '100');
    deepEqual(outcome(exchange), ['cancelled', '0']);
    deepEqual(exchange.book, []);
  });

  it('is cancelled at once when nothing was bought', () => {
    const exchange = run().path('105').tell({ type: 'cancel' });
    deepEqual([exchange.execution.status, exchange.placed.length], ['cancelled', 0]);
  });
});

describe('execution of a short signal', () => {
  it('sells at the lower end of the zone, buys at targets below and at the stop above', () => {
    const exchange = run({ side: 'short' }).path('99', '100.5', '90', '111');
    deepEqual(ordersOf(exchange), [
      'entry-1 sell limit 100 9',
      'target-1 buy limit 90 3',
      'close buy market - 6',
    ]);
    deepEqual(outcome(exchange), ['closed', '0']);
  });

  it('follows a falling price with a trailing stop that never rises', () => {
    const exchange = run({ side: 'short' }).path('100');
    exchange.tell({ type: 'trailing_stop', stop: { trigger: d('105'), limit: d('106') } });
    const triggers = ['96', '98', '92'].map((price) =>
      exchange.tick(price).execution.stop!.trigger.toString(),
    );
    deepEqual(triggers, ['101', '101', '97']);
  });
});

describe('execution of a signal whose position the exchange closes', () => {
  const liquidated = (quantity: string) => ({
    ...({ type: 'liquidated', tradeId: 'liquidation', quantity: d(quantity) } as const),
    ...{ price: d('90'), quoteFee: d('1') },
  });

  it('books the liquidation once, and ends', () => {
    const exchange = run({ side: 'short' }).path('100');
    exchange.tell(liquidated('9')).tell(liquidated('9'));
    const { status, position } = exchange.execution;
    const figures = [position.quantity, position.exited, position.exitValue, position.quoteFees].map(String);
    deepEqual([status, ...figures], ['closed', '0', '9', '810', '1']);
    deepEqual(exchange.notes.slice(-3), [
      {
        type: 'liquidated',
        cause: 'its margin was used up',
        figures: { quantity: '9', price: '90', fee: '1' },
      },
      { type: 'closing', cause: 'the exchange liquidated the position' },
      { type: 'closed', cause: 'the exchange liquidated the position' },
    ]);
  });

  it('sells what was left of it', () => {
    const exchange = run().path('100').tell(liquidated('4'));
    deepEqual(ordersOf(exchange).slice(-1), ['close sell market - 5']);
    equal(exchange.execution.status, 'closed');
  });

  it('books funding', () => {
    const exchange = run()
      .path('100')
      .tell({ type: 'funding', amount: d('-0.5') });
    equal(exchange.execution.position.funding.toString(), '-0.5');
  });
});
