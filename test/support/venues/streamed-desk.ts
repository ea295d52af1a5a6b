import type { Redis } from 'ioredis';
import type { SignalEngine } from '../../../jobs/signals/signal-engine.js';
import { wholeId } from '../../../storage/exchanges/venues/binance/binance-pair.js';
import { StreamedAccounts } from '../../../storage/accounts/streamed-accounts.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { DialectName } from '../fake-exchange/dialects.js';
import { ExchangeProcess } from '../fake-exchange/exchange-process.js';
import { until } from '../process/until.js';
import type { TemporaryStorage } from '../servers/temporary-storage.js';
import { EngineRig } from '../signals/engine-rig.js';
import { keyOf, LiveRig } from './live-rig.js';

let runs = 0;

/** Engines that trade on one exchange, whose accounts are compared only where streams do not tell of them. */
export class StreamedDesk {
  readonly exchange: ExchangeProcess;
  readonly live: LiveRig;
  readonly rig: EngineRig;
  readonly #streamed: StreamedAccounts;

  private constructor(exchange: ExchangeProcess, live: LiveRig, rig: EngineRig) {
    this.exchange = exchange;
    this.live = live;
    this.rig = rig;
    this.#streamed = new StreamedAccounts(rig.redis, live.name);
  }

  static async open(dialect: DialectName, context: TemporaryStorage, redis: Redis): Promise<StreamedDesk> {
    const exchange = await ExchangeProcess.start(dialect);
    const live = new LiveRig(exchange, context.storage, redis);
    return new StreamedDesk(exchange, live, await EngineRig.open(context, null));
  }

  /** `reconcileMs`: how often accounts are compared that are not streamed. */
  startEngine(reconcileMs: number): Promise<SignalEngine> {
    const venues = new Map([[this.live.name, this.live.open()]]);
    return this.rig.startEngine({ venues, sweepMs: 500, reconcileMs, followMs: 200 });
  }

  /** Resolves once the account of a user is known by its streams, or is not. */
  known(userId: string, isKnown = true): Promise<unknown> {
    const what = `the account is ${isKnown ? '' : 'not '}known by its streams`;
    return until(what, async () => (await this.#streamed.has(userId)) === isKnown);
  }

  /** How often the balances of a user were asked for. */
  async readings(userId: string): Promise<number> {
    const requests = await this.exchange.requests();
    return requests.filter(({ kind, apiKey }) => kind === 'account' && apiKey === keyOf(userId)).length;
  }

  /** A user who has bought on SPOT by a signal. */
  async holder() {
    const { live, rig } = this;
    await live.price('61000');
    const userId = await live.account({ spot: { USDT: '10000' } });
    const partnerId = `streamed partner ${++runs}`;
    await rig.subscribe(`channel of ${partnerId}`, userId, { exchange: live.name, stopOnExchange: true });
    const signal = await rig.signal(partnerId, {
      entries: [{ level: 'max', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
      ...{ targets: ['80000'], stopLoss: '55000' },
    });
    const isSo = async (what: string, test: (one: StoredExecution) => boolean, price?: string) =>
      until(
        `${this.exchange.dialect}: ${what}`,
        async () => {
          if (price !== undefined) await live.price(price);
          const [found] = await rig.executionsOf(signal.id);
          return found && test(found) ? found : null;
        },
        60_000,
      );
    const stands = live.venue.standingStops.has('SPOT');
    await isSo('it waits for its price', ({ watched }) => watched?.everyTick === false);
    const opened = await isSo(
      'it has bought',
      ({ status, orders }) =>
        status === 'open' &&
        (!stands || orders.some(({ leg, status: of }) => leg === 'stop' && of === 'open')),
      '60000',
    );
    return { userId, isSo, opened };
  }

  /** Sells the BTC of a user, without this service. */
  async sellByHand(userId: string): Promise<void> {
    for (const { id, status, clientOrderId } of await this.live.ledgerOrders(userId))
      if (status === 'NEW' && wholeId(clientOrderId) === clientOrderId)
        await this.exchange.apply({ type: 'cancel', orderId: id });
    const quantity = (await this.live.total(userId, 'BTC')).round(5, 'floor').toString();
    await this.exchange.apply({
      type: 'order',
      request: {
        ...{ kind: 'spot', account: keyOf(userId), symbol: 'BTCUSDT', clientOrderId: `own${++runs}` },
        ...{ side: 'SELL', type: 'MARKET', timeInForce: 'IOC', quantity },
      },
    });
  }

  async close(): Promise<void> {
    await this.rig.close();
    await this.exchange.close();
  }
}
