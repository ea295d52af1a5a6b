import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import type { VenueOrder, VenueOrderState } from '../../../storage/exchanges/trading-venue.js';
import { isNoOrder, venueHands, type VenueRig } from './venue-rig.js';

const d = (text: string): Decimal => Decimal.parse(text);

/** What every venue does, whatever is behind it. `rig` answers the venue under test once the suite runs. */
export function itIsAVenue(rig: () => VenueRig): void {
  const { order, stateOf, said, place, refusal, found, cancelled, free } = venueHands(rig);
  /** A user who has bought 0.01 of the base asset at 60,000 or less. */
  const holder = async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const { order: bought } = await place(userId);
    await rig().price('60500');
    await rig().price('60000');
    assert.equal((await found(bought))!.status, 'filled');
    const held = (await rig().venue.freeBalances([userId], rig().pair.base, 'SPOT')).get(userId) as Decimal;
    const { stepSize } = (await rig().venue.rules(rig().pair, 'SPOT'))!;
    return { userId, quantity: String(held.toStep(stepSize, 'floor')) };
  };

  const paysFeesBeside = async () => (await rig().venue.rules(rig().pair, 'SPOT'))!.feesIn === 'quote';
  /** What an order of 600 leaves free of 1,000: a fee of 0.1 % beside it is locked as well. */
  const leftOf1000 = async () => ((await paysFeesBeside()) ? '399.4' : '400');

  it('has rules for its pairs, and none for others', async () => {
    const rules = (await rig().venue.rules(rig().pair, 'SPOT'))!;
    for (const rule of [rules.tickSize, rules.stepSize, rules.minQuantity, rules.minNotional])
      assert.equal(rule.sign, 1);
    assert.equal(await rig().venue.rules({ base: 'NOSUCH', quote: 'USDT' }, 'SPOT'), null);
  });

  it('takes a limit order, which locks what it may cost, and finds it by its client order id', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const { order: placed, state } = await place(userId);
    const { exchangeOrderId } = state;
    assert.ok(exchangeOrderId.length > 0);
    const standing = {
      clientOrderId: placed.clientOrderId,
      exchangeOrderId,
      status: 'open',
      filled: Decimal.zero,
      fills: [],
    };
    assert.deepEqual(state, standing);
    assert.deepEqual(texts(await found(placed)), texts(standing as unknown as VenueOrderState));
    const { pair } = rig();
    const open = (await rig().venue.openOrders(userId)).map(texts);
    assert.deepEqual(open, [{ ...texts(state), pair, account: 'SPOT' }]);
    assert.equal(await free(userId), await leftOf1000());
    assert.equal(String(await rig().total(userId, rig().pair.quote)), '1000');
  });

  it('answers many orders in their order, each for itself', async () => {
    const [rich, poor] = [await rig().user('1000'), await rig().user('100')];
    await rig().price('61000');
    const placed = [
      order(rich),
      order(poor),
      order(rich, { price: '30000' }),
      order(rich, { price: '20000' }),
    ];
    const answers = await rig().venue.place(placed);
    assert.deepEqual(
      answers.map((answer) => ('state' in answer ? answer.state.clientOrderId : Object.keys(answer)[0])),
      [placed[0].clientOrderId, 'refused', placed[2].clientOrderId, 'refused'],
    );
    assert.deepEqual(await rig().venue.place([]), []);
  });

  it('fills an order that the price reaches, and moves what was paid and received', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const { order: placed } = await place(userId);
    await rig().price('60500');
    assert.equal((await found(placed))!.status, 'open');
    await rig().price('59000');
    const { status, filled, fills } = (await found(placed))!;
    assert.equal(status, 'filled');
    assert.equal(String(filled), '0.01');
    const sum = (pick: (fill: (typeof fills)[number]) => Decimal) =>
      fills.reduce((total, fill) => total.plus(pick(fill)), Decimal.zero);
    assert.equal(String(sum(({ quantity }) => quantity)), '0.01');
    assert.equal(new Set(fills.map(({ tradeId }) => tradeId)).size, fills.length);
    const cost = sum(({ quantity, price, quoteFee }) => quantity.times(price).plus(quoteFee));
    assert.ok(cost.compare(d((await paysFeesBeside()) ? '600.6' : '600')) <= 0, String(cost));
    const { base, quote } = rig().pair;
    assert.equal(String(await rig().total(userId, quote)), String(d('1000').minus(cost)));
    assert.equal(
      String(await rig().total(userId, base)),
      String(d('0.01').minus(sum(({ baseFee }) => baseFee))),
    );
    assert.deepEqual(await rig().venue.openOrders(userId), []);
  });

  it('fills an order at market with the next price', async () => {
    const userId = await rig().user('1000');
    await rig().price('60000');
    const { order: placed } = await place(userId, { type: 'market' });
    await rig().price('60000');
    await rig().price('60000');
    assert.equal((await found(placed))!.status, 'filled');
  });

  it('takes at once what is offered at the worst price of an order at market or better, and no more', async () => {
    const userId = await rig().user('2000');
    await rig().price('60000');
    const { order: near } = await place(userId, { type: 'market', price: '60300' });
    await rig().price('60000');
    const bought = (await found(near))!;
    assert.deepEqual([bought.status, String(bought.filled)], ['filled', '0.01']);
    for (const { price } of bought.fills) assert.ok(price.compare(d('60300')) <= 0);
    const { order: far } = await place(userId, { type: 'market', price: '59000' });
    await rig().price('60000');
    const ended = (await found(far))!;
    assert.match(ended.status, /^(expired|cancelled)$/);
    assert.equal(String(ended.filled), '0');
    await rig().price('58000');
    assert.equal(String((await found(far))!.filled), '0');
    assert.deepEqual(await rig().venue.openOrders(userId), []);
  });

  it('sells what is held once the stop is reached, or refuses stops where they cannot stand', async () => {
    const { userId, quantity } = await holder();
    const wanted = { side: 'sell', type: 'stop', stopPrice: '58000', quantity } as const;
    if (!rig().venue.standingStops.has('SPOT')) {
      assert.match(await refusal(userId, wanted), /no stop orders stand on SPOT/);
      return;
    }
    const { order: stop } = await place(userId, wanted);
    await rig().price('59000');
    assert.equal((await found(stop))!.status, 'open');
    await rig().price('57000');
    await rig().price('57000');
    assert.equal((await found(stop))!.status, 'filled');
  });

  it('does not sell the same holding twice', async () => {
    const { userId, quantity } = await holder();
    await place(userId, { side: 'sell', price: '70000', quantity });
    assert.notEqual(await refusal(userId, { side: 'sell', price: '71000', quantity }), '');
  });

  it('refuses what it cannot take, and says why', async () => {
    const userId = await rig().user('1000');
    await rig().price('60000');
    const cases: Parameters<typeof refusal>[1][] = [
      { quantity: '0.1' },
      { side: 'sell', price: '70000' },
      { price: '60000.00000001' },
      { quantity: '0.0100000000001' },
      { price: '1000', quantity: '0.00001' },
      { pair: { base: 'NOSUCH', quote: 'USDT' } },
    ];
    for (const each of cases) assert.notEqual(await refusal(userId, each), '');
    assert.equal(await free(userId), '1000');
    assert.deepEqual(await rig().venue.openOrders(userId), []);
  });

  it('places an order once, however often and from wherever it is asked for', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const wanted = order(userId);
    const { venue, other } = rig();
    const answers = await Promise.all([venue, other, venue].map((each) => each.place([wanted])));
    assert.equal(new Set(answers.map(([answer]) => stateOf(answer).exchangeOrderId)).size, 1);
    const [again] = await venue.place([{ ...wanted, price: d('1') }]);
    assert.deepEqual(texts(stateOf(again)), texts(stateOf(answers[0][0])));
    assert.equal(await free(userId), await leftOf1000());
    assert.equal((await venue.openOrders(userId)).length, 1);
  });

  it('answers an order that has ended when it is placed again, whatever is free then', async () => {
    const userId = await rig().user('601');
    await rig().price('61000');
    const { order: placed } = await place(userId);
    await rig().price('60500');
    await rig().price('60000');
    const ended = await found(placed);
    assert.equal(ended!.status, 'filled');
    const [again] = await rig().other.place([placed]);
    assert.deepEqual(texts(stateOf(again)), texts(ended));
  });

  it('replaces a stop by another one, or by a sale, for the same balance', async () => {
    if (!rig().venue.standingStops.has('SPOT')) return;
    const { userId, quantity } = await holder();
    const stop = { side: 'sell', type: 'stop', quantity } as const;
    const { order: first } = await place(userId, { ...stop, stopPrice: '58000' });
    const inPlaceOf = (old: VenueOrder, texts: Parameters<typeof order>[1]): VenueOrder => ({
      ...order(userId, texts),
      replaces: { ...old, filled: Decimal.zero },
    });
    const second = inPlaceOf(first, { ...stop, stopPrice: '59000' });
    assert.equal(stateOf((await rig().venue.place([second]))[0]).status, 'open');
    assert.equal((await found(first))!.status, 'cancelled');
    // Whoever asks again is told the same.
    assert.equal(stateOf((await rig().other.place([second]))[0]).status, 'open');
    const sale = inPlaceOf(second, { side: 'sell', quantity, price: '60100' });
    assert.equal(stateOf((await rig().venue.place([sale]))[0]).status, 'open');
    assert.equal((await found(second))!.status, 'cancelled');
    await rig().price('60200');
    await rig().price('60300');
    const [late] = await rig().venue.place([inPlaceOf(sale, { ...stop, stopPrice: '59000' })]);
    assert.ok('refused' in late, JSON.stringify(late));
    assert.equal((await found(sale))!.status, 'filled');
  });

  it('never locks more than there is, whoever places at the same time', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const wanted = Array.from({ length: 6 }, () => order(userId));
    const { venue, other } = rig();
    const answers = await Promise.all(wanted.map((each, n) => (n % 2 ? venue : other).place([each])));
    const placed = answers.flat().filter((answer) => 'state' in answer);
    assert.equal(placed.length, 1);
    assert.equal((await venue.openOrders(userId)).length, 1);
    assert.equal(await free(userId), await leftOf1000());
  });

  it('cancels an order, which frees what it locked; a second time changes nothing', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const { order: placed } = await place(userId);
    const first = await cancelled(rig().venue, placed);
    assert.equal(first!.status, 'cancelled');
    assert.equal(await free(userId, rig().pair.quote), '1000');
    const again = await cancelled(rig().other, placed);
    assert.deepEqual(texts(again), texts(first));
    await rig().price('59000');
    assert.deepEqual(texts(await found(placed)), texts(first));
    assert.deepEqual(await rig().venue.openOrders(userId), []);
  });

  it('answers the fills of an order that is cancelled too late', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const { order: placed } = await place(userId);
    await rig().price('60500');
    await rig().price('60000');
    const late = await cancelled(rig().venue, placed);
    assert.deepEqual([late!.status, String(late!.filled)], ['filled', '0.01']);
  });

  it('does not know orders that were never placed, nor shows those of other users', async () => {
    const [owner, stranger] = [await rig().user('1000'), await rig().user('1000')];
    await rig().price('61000');
    const { order: placed, state } = await place(owner);
    const foreign = { ...placed, userId: stranger };
    const { venue } = rig();
    assert.deepEqual(await venue.find([order(owner), foreign]), [null, null]);
    const [never, other] = await venue.cancel([order(owner), foreign]);
    assert.ok(isNoOrder(never), JSON.stringify(never));
    assert.equal(other, null);
    assert.deepEqual(await venue.openOrders(stranger), []);
    const [answer] = await venue.place([foreign]);
    // Where ids count for each account alone, it is an order of the stranger's own.
    assert.ok(!('state' in answer) || answer.state.exchangeOrderId !== state.exchangeOrderId);
    assert.equal((await found(placed))!.status, 'open');
  });

  it('tells what an account has, in all and free', async () => {
    const { userId, quantity } = await holder();
    const { base, quote } = rig().pair;
    await place(userId, { side: 'sell', price: '70000', quantity });
    await place(userId, { quantity: '0.001', price: '50000' });
    const holdings = (await rig().venue.holdings(userId)).filter(({ account }) => account === 'SPOT');
    for (const asset of [base, quote]) {
      const own = holdings.filter((each) => each.asset === asset);
      assert.equal(own.length, 1);
      assert.equal(String(own[0].free), await free(userId, asset));
      assert.equal(String(own[0].total), String(await rig().total(userId, asset)));
      assert.equal(own[0].free.compare(own[0].total), -1);
    }
    assert.deepEqual(await rig().venue.positions(userId), []);
  });

  it('tells the trades of a pair since a time, each with the order that it belongs to', async () => {
    const userId = await rig().user('2000');
    await rig().price('61000');
    const first = await place(userId);
    await rig().price('60500');
    await rig().price('60000');
    const second = await place(userId, { price: '59000' });
    await rig().price('59500');
    await rig().price('58900');
    const { venue, pair } = rig();
    const since = async (atMs: number) => venue.fillsSince(userId, pair, 'SPOT', atMs);
    const all = await since(0);
    const states = (await venue.find([first.order, second.order])).map(said);
    assert.deepEqual(
      all.map(({ tradeId, quantity, at }) => [tradeId, String(quantity), at]),
      states.flatMap((state) =>
        state!.fills.map(({ tradeId, quantity, at }) => [tradeId, String(quantity), at]),
      ),
    );
    const [{ at }] = states[1]!.fills;
    assert.deepEqual(
      await since(at),
      all.filter((each) => each.at >= at),
    );
    assert.deepEqual(await venue.fillsSince(userId, { base: 'NOSUCH', quote: 'USDT' }, 'SPOT', 0), []);
    assert.deepEqual(await venue.fillsSince(await rig().user('1'), pair, 'SPOT', 0), []);
  });

  it('does not find an order on another account than its own', async () => {
    const userId = await rig().user('1000');
    await rig().price('61000');
    const { order: placed } = await place(userId);
    const elsewhere = { ...placed, account: 'FUTURES' as const };
    assert.deepEqual(await rig().venue.find([elsewhere]), [null]);
    const [answered] = await rig().venue.cancel([elsewhere]);
    assert.ok(isNoOrder(answered), JSON.stringify(answered));
    assert.equal((await found(placed))!.status, 'open');
  });

  it('tells what is free of several users at once', async () => {
    const users = [await rig().user('10'), await rig().user('20')];
    const balances = await rig().venue.freeBalances(users, rig().pair.quote, 'SPOT');
    assert.deepEqual(
      users.map((userId) => (balances.get(userId) as Decimal).toString()),
      ['10', '20'],
    );
    const base = await rig().venue.freeBalances(users, rig().pair.base, 'SPOT');
    assert.deepEqual([...base.values()].map(String), ['0', '0']);
  });
}

/** A state with decimals as texts. */
const texts = (state: VenueOrderState | null): object | null =>
  state && {
    ...state,
    filled: String(state.filled),
    fills: state.fills.map(({ quantity, price, baseFee, quoteFee, ...rest }) => ({
      ...rest,
      figures: [quantity, price, baseFee, quoteFee].map(String),
    })),
  };
