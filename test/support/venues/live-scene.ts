import type { Redis } from 'ioredis';
import type { SignalEngine } from '../../../jobs/signals/signal-engine.js';
import type { PartnerSignal, SignalTerms } from '../../../storage/signals/partner-signal.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { Subscription } from '../../../storage/signals/subscription.js';
import type { AccountSetup } from '../fake-exchange/book/exchange-command.js';
import type { DialectName } from '../fake-exchange/dialects.js';
import { ExchangeProcess } from '../fake-exchange/exchange-process.js';
import { until } from '../process/until.js';
import { temporaryRedis } from '../servers/temporary-redis.js';
import { temporaryStorage, type TemporaryStorage } from '../servers/temporary-storage.js';
import { EngineRig } from '../signals/engine-rig.js';
import { LiveRig } from './live-rig.js';

let runs = 0;

/** A new user of the exchange who follows a signal of a new partner. */
export interface LiveFollower {
  userId: string;
  signal: PartnerSignal;
  subscription: Subscription;
  /** The execution once it is so. `price` is told again and again until then. */
  isSo: (what: string, test: (one: StoredExecution) => boolean, price?: string) => Promise<StoredExecution>;
}

export interface LiveFollowerTerms {
  terms?: Partial<SignalTerms>;
  account?: Partial<AccountSetup>;
  subscription?: Partial<Subscription>;
  /** Called before the signal is created. */
  before?: (userId: string) => Promise<void>;
}

/** Engines that trade signals on the adapter of an exchange over the fake one. */
export class LiveScene {
  readonly exchange: ExchangeProcess;
  readonly live: LiveRig;
  readonly rig: EngineRig;

  private constructor(exchange: ExchangeProcess, live: LiveRig, rig: EngineRig) {
    this.exchange = exchange;
    this.live = live;
    this.rig = rig;
  }

  static async open(
    context: TemporaryStorage,
    redis: Redis,
    dialect: DialectName = 'binance',
    budget?: number,
  ): Promise<LiveScene> {
    const exchange = await ExchangeProcess.start(dialect);
    const live = new LiveRig(exchange, context.storage, redis, budget);
    return new LiveScene(exchange, live, await EngineRig.open(context, null));
  }

  /** An engine with a client of the exchange of its own. */
  startEngine(more: Parameters<EngineRig['startEngine']>[0] = {}): Promise<SignalEngine> {
    const venues = new Map([[this.live.name, this.live.open()]]);
    return this.rig.startEngine({ venues, sweepMs: 500, ...more });
  }

  async follow({ terms, account, subscription, before }: LiveFollowerTerms = {}): Promise<LiveFollower> {
    const partnerId = `live partner ${++runs}`;
    const userId = await this.live.account(
      account ?? { spot: { USDT: '10000' }, futures: { USDT: '10000' } },
    );
    const settings = { exchange: this.live.name, stopOnExchange: true, ...subscription };
    const followed = await this.rig.subscribe(`channel of ${partnerId}`, userId, settings);
    await before?.(userId);
    const signal = await this.rig.signal(partnerId, {
      entries: [{ level: 'max', type: 'limit', price: '60000', zoneEnd: null, percent: '100' }],
      targets: ['66000', '68000'],
      stopLoss: '55000',
      ...terms,
    });
    const execution = async () => (await this.rig.executionsOf(signal.id)).at(0);
    const isSo: LiveFollower['isSo'] = async (what, test, price) => {
      const isTrue = async () => {
        if (price !== undefined) await this.live.price(price);
        const found = await execution();
        return found !== undefined && test(found);
      };
      await until(`${this.exchange.dialect}: ${what}`, isTrue, 110_000, execution);
      return (await execution())!;
    };
    return { userId, signal, subscription: followed, isSo };
  }

  /** Whether it has bought, and its stop stands on the exchange where stops can. */
  readonly isOpen = (one: StoredExecution): boolean =>
    this.live.venue.standingStops.has(one.account) ? isOpenWithStop(one) : one.status === 'open';

  async close(): Promise<void> {
    await this.rig.close();
    await this.exchange.close();
  }
}

/** A scene that is there for the suite; call it in `describe`. `begin` gets it once it is open. Answers its storage. */
export function temporaryScene(begin: (scene: LiveScene) => Promise<unknown>): TemporaryStorage {
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let scene: LiveScene;
  before(async () => {
    scene = await LiveScene.open(context, redis.redis);
    await begin(scene);
  });
  after(() => scene.close());
  return context;
}

/** Whether it has bought, and its stop stands on the exchange. */
export const isOpenWithStop = ({ status, orders }: StoredExecution): boolean =>
  status === 'open' && orders.some(({ leg, status: of }) => leg === 'stop' && of === 'open');

/** Whether its price is watched, since it has seen one. */
export const waitsForPrice = ({ watched }: StoredExecution): boolean => watched?.everyTick === false;

/** The execution once its signal has bought at 60,000. */
export async function hasBought(
  isSo: LiveFollower['isSo'],
  isOpen = isOpenWithStop,
): Promise<StoredExecution> {
  await isSo('it waits for its price', waitsForPrice);
  return isSo('it has bought', isOpen, '60000');
}

/** A user whose key opens FUTURES alone, followed until its stop has sold; with what became of a signal for SPOT meanwhile. */
export async function tradesFuturesAlone(scene: LiveScene, account: Partial<AccountSetup>) {
  const { userId, signal, isSo } = await scene.follow({
    account: { ...account, mayTradeSpot: false },
    subscription: { accounts: ['SPOT', 'FUTURES'] },
    terms: { account: 'FUTURES' },
  });
  await hasBought(isSo);
  const spot = await scene.rig.signal(signal.partnerId, { stopLoss: '50000', targets: ['90000'] });
  const skipped = await until('it is skipped', async () => {
    const [onSpot] = await scene.rig.executionsOf(spot.id);
    return onSpot?.status === 'skipped' && onSpot;
  });
  const closed = await isSo('the stop has sold', ({ endedAt }) => endedAt !== null, '54000');
  return { userId, skipped, closed };
}
