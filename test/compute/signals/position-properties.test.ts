import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../compute/model/decimal.js';
import { isTradable, type PairRules } from '../../../compute/model/pair-rules.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import { isEnded } from '../../../compute/signals/execution.js';
import { isAtOrBetter } from '../../../compute/signals/execution-side.js';
import { decodeExecution, encodeExecution } from '../../../storage/signals/execution-json.js';
import {
  add,
  fraction,
  multiply,
  order,
  subtract,
  unitOf,
  type Fraction,
} from '../../support/numbers/fraction.js';
import { plainTerms } from '../../support/paper/margin-cases.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { PositionExchange } from '../../support/signals/position-exchange.js';

const d = (text: string): Decimal => Decimal.parse(text);
const cents = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((value) => d((value / 100).toFixed(2)));

const happening = fc.oneof(
  { weight: 12, arbitrary: cents(-300, 320).map((change) => ({ kind: 'tick' as const, change })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'wait' as const }) },
  { weight: 1, arbitrary: cents(100, 800).map((distance) => ({ kind: 'trail' as const, distance })) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 100 }).map((percent) => ({ kind: 'sell' as const, percent })),
  },
  { weight: 1, arbitrary: cents(8_500, 10_500).map((price) => ({ kind: 'dca' as const, price })) },
  { weight: 1, arbitrary: cents(8_500, 10_500).map((price) => ({ kind: 'rebuy' as const, price })) },
);

const scenario = fc.record({
  side: fc.constantFrom('long' as const, 'short' as const),
  mode: fc.constantFrom('ISOLATED' as const, 'CROSS' as const),
  funding: fc.constantFrom('between' as const, 'interest' as const),
  leverage: fc.constantFrom(1, 3, 10, 25),
  stopOnExchange: fc.boolean(),
  hasStop: fc.boolean(),
  volume: fc.constantFrom(null, '40', '8'),
  happenings: fc.array(happening, { minLength: 5, maxLength: 40 }),
  ending: fc.constantFrom('cancel' as const, 'close' as const),
  cuts: fc.array(fc.nat({ max: 200 }), { maxLength: 6 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

const deposit = '9000';
/** Fees of futures, and funding every five seconds. */
const terms = {
  ...plainTerms,
  ...{ makerFee: d('0.0002'), takerFee: d('0.0005'), slippage: d('0.0005') },
  ...{ fundingRate: d('0.0001'), fundingEveryMs: 5_000 },
};
/** How far orders at market may cost more than their price. */
const withSlippage = d('1.001');

const runs = {
  numRuns: Number(process.env.SIGNAL_RUNS ?? 1_500),
  seed: Number(process.env.SIGNAL_SEED ?? 20_260_102),
};

function start({
  side,
  leverage,
  stopOnExchange,
  hasStop,
  mode,
  funding,
  volume,
}: Scenario): PositionExchange {
  const own = hasStop ? {} : { stopLoss: null };
  const execution = makeExecution({ side, leverage, ...own }, { stopOnExchange });
  return new PositionExchange(execution, { deposit, mode, volume, terms: { ...terms, funding } });
}

/** Prices of a short are mirrored at 100. */
const mirrored = (side: Scenario['side'], price: Decimal) =>
  side === 'long' ? price : d('200').minus(price);

function happen(
  exchange: PositionExchange,
  side: Scenario['side'],
  event: Scenario['happenings'][number],
  n: number,
) {
  const price = exchange.price ?? d('100');
  const away = (by: Decimal) => (side === 'long' ? price.minus(by) : price.plus(by));
  const stop = (distance: Decimal) => ({ trigger: away(distance), limit: away(distance.plus(d('1'))) });
  switch (event.kind) {
    case 'tick':
      return exchange.tick(side === 'long' ? price.plus(event.change) : price.minus(event.change));
    case 'wait':
      return exchange.wait(4_000);
    case 'trail':
      return exchange.tell({ type: 'trailing_stop', stop: stop(event.distance) });
    case 'sell':
      return exchange.tell({
        ...{ type: 'take_profit', id: `tp-${n}`, orderType: 'market', price: null },
        percent: d(String(event.percent)),
        stop: event.percent < 100 ? stop(d('3')) : null,
      });
    case 'dca':
      return exchange.tell({
        ...{ type: 'dca', id: `dca-${n}`, price: mirrored(side, event.price), multiplier: d('1.5') },
      });
    case 'rebuy': {
      const near = mirrored(side, event.price);
      const far = mirrored(side, event.price.minus(d('2')));
      const [min, max] = side === 'long' ? [far, near] : [near, far];
      return exchange.tell({ type: 'rebuy', id: `rebuy-${n}`, min, max, amount: d('300'), stop: null });
    }
  }
}

describe('execution of a signal on margin and futures, on random paths and commands', function () {
  this.timeout(600_000);

  it('holds its promises at every step, ends flat, and earns what the account does', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const exchange = start(given);
        for (const [n, event] of given.happenings.entries()) {
          const { stop } = exchange.execution;
          happen(exchange, given.side, event, n);
          checkStep(exchange, given, stop);
          checkMoney(exchange, given.funding);
        }
        exchange.finish(
          given.ending === 'cancel' ? { type: 'cancel' } : { type: 'close', cause: 'the user closes all' },
        );
        checkMoney(exchange, given.funding);
        checkEnd(exchange);
        checkProfit(exchange);
      }),
      runs,
    );
  });

  it('comes to the same end however its events are cut into batches and stored in between', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const exchange = start(given);
        for (const [n, event] of given.happenings.entries()) happen(exchange, given.side, event, n);
        exchange.finish({ type: 'cancel' });
        let again = exchange.first;
        for (const [n, event] of exchange.told.entries()) {
          if (given.cuts.includes(n)) again = decodeExecution(encodeExecution(again));
          again = advanceExecution(again, event).execution;
        }
        deepEqual(encodeExecution(again), encodeExecution(exchange.execution));
      }),
      { ...runs, numRuns: Math.ceil(runs.numRuns / 5) },
    );
  });
});

function checkStep(
  { execution, account, placed, open }: PositionExchange,
  { side, leverage }: Scenario,
  before: PositionExchange['execution']['stop'],
): void {
  const { position, stop, rules, maxInvested } = execution;
  const net = account.positions[0]?.quantity ?? Decimal.zero;
  const size = side === 'long' ? net : net.negated();
  ok(size.sign >= 0, 'is never on the other side');
  ok(
    size.compare(position.quantity) === 0,
    `holds ${size.toString()}, knows of ${position.quantity.toString()}`,
  );
  ok(position.exited.compare(position.entered) <= 0, 'never closes more than it has opened');
  const onSale = open.filter(({ reduces }) => reduces);
  const beyond = onSale.reduce(
    (sum, { quantity, events }) =>
      events.reduce((left, { fill }) => left.minus(fill?.quantity ?? Decimal.zero), sum.plus(quantity)),
    Decimal.zero,
  );
  ok(beyond.compare(size) <= 0, 'never has more in reducing orders than it holds');
  const cap = maxInvested.times(d(String(leverage))).times(withSlippage);
  // A short that is filled at a better price than ordered is worth more than it was ordered for.
  if (side === 'long') ok(position.entryValue.compare(cap) <= 0, 'never invests more than allowed');
  if (before?.trailing && stop)
    ok(isAtOrBetter(side, stop.trigger, before.trigger), 'the stop never moves back');
  for (const each of placed) checkOrder(each, rules);
  if (isEnded(execution)) ok(open.length === 0, 'nothing stands when it has ended');
}

/** Quantities and prices are decimals on the step and tick of the pair. */
function checkOrder(
  { quantity, price, stopPrice }: PositionExchange['placed'][number],
  rules: PairRules,
): void {
  ok(quantity.toStep(rules.stepSize, 'floor').compare(quantity) === 0 && quantity.sign > 0);
  for (const each of [price, stopPrice])
    if (each) ok(each.toStep(rules.tickSize, 'floor').compare(each) === 0 && each.sign > 0);
}

const text = (value: Decimal): Fraction => fraction(value.toString());
const zero = fraction('0');
const isNear = (one: Fraction, other: Fraction) => {
  const difference = subtract(one, other);
  return order(difference.n < 0n ? { n: -difference.n, d: difference.d } : difference, unitOf(12)) <= 0;
};

/**
 * Deposit + what sales have brought in - what purchases have cost - fees + funding + the position at the last price is what the
 * account is worth: no average cost and no margin, only what was paid. Funding is counted from the position at each funding
 * time.
 */
function checkMoney({ account, ticks, price }: PositionExchange, funding: Scenario['funding']): void {
  const fills = account.orders
    .flatMap(({ side, events }) => events.flatMap(({ fill, at }) => (fill ? [{ side, at, ...fill }] : [])))
    .sort((one, other) => one.at - other.at);
  let [cash, held, paid] = [fraction(deposit), zero, zero];
  let [next, fundedUntil] = [0, 0];
  for (const tick of ticks) {
    const times = Math.floor(tick.at / terms.fundingEveryMs) - Math.floor(fundedUntil / terms.fundingEveryMs);
    if (held.n !== 0n && times > 0) {
      const change = fundingOf(held, tick.price, times, funding);
      paid = add(paid, change);
      fundedUntil = tick.at;
    }
    const wasFlat = held.n === 0n;
    for (; next < fills.length && fills[next].at <= tick.at; next++) {
      const { side, quantity, price: at, quoteFee } = fills[next];
      const value = multiply(text(quantity), text(at));
      const isBuy = side === 'buy';
      held = isBuy ? add(held, text(quantity)) : subtract(held, text(quantity));
      cash = subtract(isBuy ? subtract(cash, value) : add(cash, value), text(quoteFee));
    }
    if (wasFlat && held.n !== 0n) fundedUntil = tick.at;
  }
  const last = text(price ?? d('0'));
  const expected = add(add(cash, paid), multiply(held, last));
  const [position] = account.positions;
  const gain = position
    ? position.quantity.sign > 0
      ? subtract(multiply(text(position.quantity), last), text(position.entryValue))
      : add(multiply(text(position.quantity), last), text(position.entryValue))
    : zero;
  const worth = add(text(account.wallet), gain);
  ok(
    isNear(worth, expected),
    `the account is worth ${inWords(worth)}, the trades leave ${inWords(expected)}`,
  );
  const told = fills.reduce((sum, fill) => add(sum, text(fill.funding ?? Decimal.zero)), zero);
  const left = position ? text(position.funding) : zero;
  ok(isNear(add(told, left), paid), `funding of ${inWords(paid)} is told as ${inWords(add(told, left))}`);
}

const inWords = ({ n, d: below }: Fraction): string => String(Number((n * 10n ** 14n) / below) / 1e14);

/** What a position pays (below 0) or receives, rounded up to 12 places. */
function fundingOf(held: Fraction, price: Decimal, times: number, funding: Scenario['funding']): Fraction {
  const size = held.n < 0n ? { n: -held.n, d: held.d } : held;
  const { n, d: below } = multiply(
    multiply(size, text(price)),
    multiply(text(terms.fundingRate), fraction(String(times))),
  );
  const [scaled, unit] = [n * 10n ** 12n, 10n ** 12n];
  const due = { n: scaled / below + (scaled % below > 0n ? 1n : 0n), d: unit };
  return held.n < 0n && funding === 'between' ? due : { n: -due.n, d: due.d };
}

function checkEnd({ execution, account, open, price }: PositionExchange): void {
  ok(isEnded(execution), `ends, found ${execution.status}`);
  ok(open.length === 0, 'leaves no order');
  const [position] = account.positions;
  if (!position) return;
  const size = position.quantity.sign < 0 ? position.quantity.negated() : position.quantity;
  ok(!isTradable(size, price!, execution.rules), `is flat, holds ${size.toString()}`);
}

/** What the execution has earned, with fees and funding, is what the wallet has gained once nothing is held. */
function checkProfit({ execution, account }: PositionExchange): void {
  if (account.positions.length > 0) return;
  const { entryValue, exitValue, quoteFees, funding } = execution.position;
  const gross = execution.side === 'long' ? exitValue.minus(entryValue) : entryValue.minus(exitValue);
  const profit = gross.minus(quoteFees).plus(funding);
  const gained = account.wallet.minus(d(deposit));
  ok(
    isNear(text(profit), text(gained)),
    `${profit.toString()} is earned, the wallet has ${gained.toString()} more`,
  );
}
