import { pino } from 'pino';
import { DueList } from '../../../jobs/durable/due-list.js';
import type { AdvanceTools } from '../../../jobs/signals/advance-batch.js';
import { advanceExecutions } from '../../../jobs/signals/advance-executions.js';
import { deliverSignals } from '../../../jobs/signals/deliver-signals.js';
import { OpenedNotes } from '../../../jobs/signals/opened-notes.js';
import { slotOf } from '../../../jobs/signals/partner-slots.js';
import { SubscriberPages } from '../../../jobs/signals/subscriber-pages.js';
import type { TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { EngineRig } from './engine-rig.js';

const log = pino({ level: 'silent' });

/** The steps of a worker, which a test does by hand. */
export class HandWorker {
  readonly #rig: EngineRig;
  /** What the exchange has taken and the executions do not say yet. */
  readonly opened: OpenedNotes;
  /** The executions whose levels were announced. */
  readonly announced: StoredExecution[] = [];
  /** The last price of the market, and how old it is. */
  price = 105;
  priceAgeMs = 0;
  /** Why entries wait for the comparison of their account. */
  ready: AdvanceTools['ready'] = () => Promise.resolve(null);

  constructor(rig: EngineRig) {
    this.#rig = rig;
    this.opened = new OpenedNotes({ executions: rig.storage.executions, log });
  }

  /** Delivers the next chunk of a signal of the partner. */
  async deliver(partnerId: string, venue: TradingVenue = this.#rig.venue): Promise<boolean> {
    const { storage } = this.#rig;
    const queue = { wake: () => Promise.resolve() };
    const subscribers = new SubscriberPages(storage.subscriptions);
    const tools = { ...this.#tools(venue), storage, subscribers, queue };
    return deliverSignals(tools, { partnerId, slot: 0 });
  }

  /** Advances the executions of a subscription and of those in its slot. */
  advance(
    { partnerId, subscriptionId }: { partnerId: string; subscriptionId: string },
    venue: TradingVenue = this.#rig.venue,
  ): Promise<boolean> {
    return advanceExecutions(this.#tools(venue), { partnerId, slot: slotOf(subscriptionId) });
  }

  #tools(venue: TradingVenue): AdvanceTools {
    return {
      opened: this.opened,
      underWay: { run: (_row, advance) => advance() },
      due: new DueList(this.#rig.redis),
      storage: this.#rig.storage,
      prices: {
        find: () =>
          Promise.resolve({ price: this.price, change24hPercent: null, time: Date.now() - this.priceAgeMs }),
      },
      market: this.#rig.market,
      venues: new Map([['PAPER', venue]]),
      levels: {
        tell: () => undefined,
        announce: (all) => Promise.resolve(void this.announced.push(...all)),
      },
      wakeAt: () => undefined,
      ready: (...asked) => this.ready(...asked),
      place: (on, orders) => on.place(orders),
      keyRefused: () => Promise.resolve(),
      log,
    };
  }
}
