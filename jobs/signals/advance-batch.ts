import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import { groupBy } from '../../compute/model/group-by.js';
import { parsePair } from '../../compute/model/market-pair.js';
import type { PairRules } from '../../compute/model/pair-rules.js';
import { hasEntered } from '../../compute/signals/execution.js';
import type { CommandQuote } from '../../compute/signals/execution-event.js';
import type {
  Lookup,
  OrderRef,
  Placement,
  TradingVenue,
  VenueOrder,
  VenueOrderTerms,
} from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import type { MailKind } from '../../storage/mail/mail-kinds.js';
import { tellOwner } from '../../storage/mail/tell-owner.js';
import { isHaltedBy } from '../../storage/signals/halts.js';
import type {
  ExecutionLine,
  PartnerSlot,
  StoredExecution,
  StoredOrder,
} from '../../storage/signals/stored-execution.js';
import type { Subscription } from '../../storage/signals/subscription.js';
import type { DueList } from '../durable/due-list.js';
import type { ExecutionsUnderWay } from './executions-under-way.js';
import { applyCommands } from './apply-commands.js';
import { afterLiquidation, applyLiquidations, type LiquidationTools } from './apply-liquidations.js';
import type { DeliverAgainTools } from './deliver-again.js';
import { faultedExecution } from './deliver-signals.js';
import { guardEntries, type GuardTools } from './guards/guard-entries.js';
import type { OpenedNotes } from './opened-notes.js';
import { ExecutionRun } from './run/execution-run.js';
import { unservedExecution } from './unserved-executions.js';
import { sendWithinMs } from './send-within-ms.js';
import { readOrNull } from './trade-signal-of.js';

export interface AdvanceTools extends DeliverAgainTools {
  due: Pick<DueList, 'add' | 'done' | 'take'>;
  storage: DeliverAgainTools['storage'] &
    GuardTools['storage'] &
    LiquidationTools['storage'] & {
      executions: Pick<Storage['executions'], 'dueIds' | 'ofIds' | 'waitingOf' | 'wake'>;
    };
  opened: Pick<OpenedNotes, 'has' | 'hold'>;
  underWay: Pick<ExecutionsUnderWay, 'run'>;
  /** Why entries of a user have to wait for the comparison of the account, as far as is known within a time; null: they need not. */
  ready: (venue: TradingVenue, userId: string, withinMs: number) => Promise<string | null>;
  place: (venue: TradingVenue, orders: readonly VenueOrder[]) => Promise<Placement[]>;
  /** Called where the exchange refuses the key of a user for orders, with what it says. */
  keyRefused: (venue: TradingVenue, userId: string, why: string) => Promise<void>;
  /** Called with the times at which advanced executions are due next. */
  wakeAt: (slot: PartnerSlot, atMs: number) => void;
}

/**
 * How often one job sends requests to the exchange for the same executions: for a first order, its stop, and the orders that a
 * fill requires. Further rounds are left to the next job.
 */
const mostRounds = 5;

/** How long (ms) an entry waits for the comparison of its account: what holds a position is not kept from protecting it. */
const entryWaitMs = { holding: 1_000, bare: 5_000 };

/** An order of an execution that is being advanced. */
interface RunOrder {
  run: ExecutionRun;
  order: StoredOrder;
}

/** Executions that are advanced together: events are applied to them, the results are stored, and then orders are sent. */
export class AdvanceBatch {
  readonly #tools: AdvanceTools;
  readonly #slot: PartnerSlot;
  #runs: ExecutionRun[] = [];
  /** What each execution held when the exchange was asked for its position. */
  #held: ReadonlyMap<ExecutionRun, Decimal> = new Map();
  #subscriptions: ReadonlyMap<string, Subscription> = new Map();
  /** Executions as they were written last whose levels are not announced yet. */
  readonly #unannounced = new Map<string, StoredExecution>();
  /** How many lines of an execution its owner got a mail about, by its id. */
  readonly #told = new Map<string, number>();
  /** What exchanges have said about keys that they refuse for orders. */
  readonly #keysRefused = new Map<string, Parameters<AdvanceTools['keyRefused']>>();

  constructor(tools: AdvanceTools, slot: PartnerSlot) {
    this.#tools = tools;
    this.#slot = slot;
  }

  /** Advances the executions, and answers whether further requests to the exchange are needed. */
  async run(due: readonly StoredExecution[]): Promise<boolean> {
    const { venues } = this.#tools;
    const planned = due.filter(({ state }) => state);
    const served = planned.filter(({ exchange }) => venues.has(exchange));
    this.#runs = served.map((each) => new ExecutionRun(each, venues.get(each.exchange)?.lateMs));
    for (const { id, events } of due) this.#told.set(id, mailsOf(events).length);
    await this.#leave(planned.filter((each) => !served.includes(each)));
    try {
      return await this.#advance();
    } finally {
      await this.#announce([...this.#unannounced.keys()]);
      // It writes lines into executions, which these here must not overwrite.
      for (const each of this.#keysRefused.values()) await this.#tools.keyRefused(...each);
    }
  }

  /** Lets executions wait on whose exchanges no orders are placed now. */
  async #leave(unserved: readonly StoredExecution[]): Promise<void> {
    const documents = unserved.map((each) => unservedExecution(each, Date.now()));
    await this.#tellOwners(documents);
    await this.#tools.storage.executions.writeAll(documents);
    for (const { dueAt } of documents) this.#tools.wakeAt(this.#slot, dueAt!.getTime());
  }

  async #advance(): Promise<boolean> {
    await this.#observe();
    for (let round = 0; round < mostRounds; round++) {
      await this.#awaitComparison();
      const writtenAt = performance.now();
      await this.#write(round === 0);
      const [place, cancel] = [this.#orders('toPlace'), this.#orders('toCancel')];
      if (place.length === 0 && cancel.length === 0) {
        await this.#askPositions(this.#runs.filter((run) => this.#hasTraded(run)));
        if (this.#runs.some(({ isChanged }) => isChanged)) await this.#write();
        return false;
      }
      // A worker that was paused leaves its orders to the one that has taken over.
      const isLate = () => performance.now() - writtenAt > sendWithinMs;
      if (isLate()) return true;
      // What protects comes first, and what only makes room for it.
      await this.#place(place.filter(({ order }) => order.replaces));
      await this.#cancel(cancel);
      await this.#place(stopsFirst(place.filter(({ order }) => order.reduces && !order.replaces)));
      const entries = place.filter(({ order }) => !order.reduces && !order.replaces);
      await this.#guard(entries);
      if (isLate()) return true;
      await this.#enter(entries);
    }
    await this.#write();
    return true;
  }

  /** Applies all events: order states at the exchange, then halts, prices, commands, the user's request and time. */
  async #observe(): Promise<void> {
    const { signals, subscriptions, halts: allHalts } = this.#tools.storage;
    const ids = (of: 'signalId' | 'subscriptionId') => [
      ...new Set(this.#runs.map(({ stored }) => stored[of])),
    ];
    const [found, followed, halts] = await Promise.all([
      signals.ofIds(ids('signalId')),
      subscriptions.ofIds(ids('subscriptionId')),
      allHalts.list(),
      this.#lookUp(),
    ]);
    this.#subscriptions = new Map(followed.map((each) => [each.id, each]));
    const commands = new Map(found.map((signal) => [signal.id, signal.commands]));
    const quotes = await this.#quotes(
      this.#runs.filter((run) => run.commandsDone < (commands.get(run.stored.signalId)?.length ?? 0)),
    );
    await this.#askPositions(this.#runs);
    const rules = await this.#rules();
    const active = new Set(followed.filter(({ isPaused }) => !isPaused).map(({ id }) => id));
    await this.#each((run) => {
      const nowMs = Date.now();
      const { signalId, subscriptionId } = run.stored;
      run.applyRules(rules.get(rulesKeyOf(run)) ?? null, nowMs);
      run.applyHalt(!active.has(subscriptionId) || isHaltedBy(halts, run.stored), nowMs);
      const subscription = this.#subscriptions.get(subscriptionId);
      if (!subscription) run.applyRemoval(nowMs);
      // What the price has crossed, it has crossed before the commands are taken.
      run.applyObserved(nowMs);
      run.applyCrossings(nowMs);
      const last = quotes.get(marketOf(run)) ?? null;
      const keepsStop = subscription?.maxDailyLoss !== null;
      applyCommands(run, commands.get(signalId) ?? [], { nowMs, last, keepsStop });
      run.applyWish(nowMs);
      run.applyTime(nowMs);
    });
  }

  /** The present rules of the pairs of executions: exchanges change them. Those that cannot be read now stay as they are. */
  async #rules(): Promise<Map<string, PairRules>> {
    const found = new Map<string, PairRules>();
    for (const [key, [{ stored }]] of groupBy(this.#runs, rulesKeyOf)) {
      const venue = this.#tools.venues.get(stored.exchange);
      const rules = await venue?.rules(parsePair(stored.pair)!, stored.account).catch(ifUnanswered);
      if (rules) found.set(key, rules);
    }
    return found;
  }

  /** The last prices of the pairs of executions, by market and pair. */
  async #quotes(runs: readonly ExecutionRun[]): Promise<Map<string, CommandQuote>> {
    const quotes = new Map<string, CommandQuote>();
    for (const [name, [{ stored }]] of groupBy(runs, marketOf)) {
      const found = await this.#tools.prices.find({ market: stored.market, ...parsePair(stored.pair)! });
      if (found) quotes.set(name, { price: Decimal.read(String(found.price)), time: found.time });
    }
    return quotes;
  }

  async #askPositions(runs: readonly ExecutionRun[]): Promise<void> {
    await applyLiquidations(this.#tools, runs);
    this.#held = new Map(this.#runs.map((run) => [run, run.state.position.quantity]));
  }

  /** Whether its position has changed since the exchange was asked: then its liquidation price has changed, too. */
  #hasTraded(run: ExecutionRun): boolean {
    const held = this.#held.get(run);
    return held?.compare(run.state.position.quantity) !== 0;
  }

  /**
   * Leaves entries for later whose account is not compared yet, before they are stored as sent: an order that is stored as sent has to be
   * looked up at the exchange until it is proved to be absent, even if a change of the execution kept it from being sent.
   */
  async #awaitComparison(): Promise<void> {
    await Promise.all(
      this.#runs.map(async (run) => {
        const entries = run.toPlace.filter(({ reduces }) => !reduces);
        const venue = this.#tools.venues.get(run.stored.exchange);
        if (entries.length === 0 || !venue) return;
        const waitMs = hasEntered(run.state) ? entryWaitMs.holding : entryWaitMs.bare;
        const reason = await this.#tools.ready(venue, run.stored.userId, waitMs);
        if (reason !== null) for (const order of entries) run.defer(order, reason, Date.now());
      }),
    );
  }

  /** Refuses entries that the limits of their subscribers do not allow. At this point the orders are stored, but not sent. */
  async #guard(entries: readonly RunOrder[]): Promise<void> {
    const limited = entries.flatMap(({ run, order }) => {
      const subscription = this.#subscriptions.get(run.stored.subscriptionId);
      return subscription ? [{ run, order, subscription }] : [];
    });
    await guardEntries(this.#tools, limited, Date.now());
  }

  async #lookUp(): Promise<void> {
    const nowMs = Date.now();
    const open = this.#runs.flatMap((run) => run.openOrders(nowMs).map((order) => ({ run, order })));
    const holding = open.filter(({ run }) => run.state.position.quantity.sign > 0);
    await Promise.all([
      this.#find(holding, 'protect'),
      this.#find(
        open.filter((each) => !holding.includes(each)),
        'lookUp',
      ),
    ]);
  }

  async #find(orders: readonly RunOrder[], urgency: 'protect' | 'lookUp'): Promise<void> {
    await this.#ask(orders, async (venue, group) => {
      const askedAt = Date.now();
      const found = await venue.find(group.map(refOf), urgency);
      for (const [n, { run, order }] of group.entries()) {
        const known = { run, order, found: found[n] };
        run.applyFound(order, await afterLiquidation(this.#tools.storage, venue, known), askedAt);
      }
    });
  }

  async #cancel(orders: readonly RunOrder[]): Promise<void> {
    await this.#ask(orders, async (venue, group) => {
      const askedAt = Date.now();
      const states = await venue.cancel(group.map(refOf));
      this.#noteKeys(venue, group, states);
      group.forEach(({ run, order }, n) => run.applyCancel(order, states[n], askedAt));
    });
  }

  async #place(orders: readonly RunOrder[]): Promise<void> {
    await this.#ask(orders, async (venue, group) => {
      const placed = await this.#tools.place(venue, group.map(venueOrder));
      this.#noteKeys(venue, group, placed);
      await this.#lookUpReplaced(group.filter((_, n) => 'refused' in placed[n]));
      // One time for all orders of an answer, so that equal notes of executions are written together.
      const placedAt = Date.now();
      group.forEach(({ run, order }, n) => {
        const [answer, old] = [placed[n], run.replacedBy(order)];
        run.applyPlacement(order, answer, placedAt);
        if (old && 'state' in answer && answer.replaced) run.applyCancel(old, answer.replaced, placedAt);
      });
    });
  }

  /**
   * Places entries that are stored, of each execution one after the other: what one of them has bought gets its stop before the next one is
   * placed.
   */
  async #enter(entries: readonly RunOrder[]): Promise<void> {
    const isNext = ({ run, order }: RunOrder) =>
      run.toPlace.includes(order) && !run.toPlace.some(({ reduces }) => reduces);
    for (let left = entries.filter(isNext); left.length > 0; left = left.filter(isNext))
      await this.#place([...groupBy(left, ({ run }) => run.id).values()].map(([first]) => first));
  }

  #noteKeys(venue: TradingVenue, asked: readonly RunOrder[], answers: readonly (Placement | Lookup)[]): void {
    for (const [n, { run }] of asked.entries()) {
      const answer = answers[n];
      if (!answer || !('refusedKey' in answer) || answer.refusedKey === undefined) continue;
      const { userId } = run.stored;
      this.#keysRefused.set(`${venue.id} ${userId}`, [venue, userId, answer.refusedKey]);
    }
  }

  /** Looks up the orders whose successors were refused: some exchanges have cancelled them before they refused the other. */
  async #lookUpReplaced(refused: readonly RunOrder[]): Promise<void> {
    const old = refused.flatMap(({ run, order }) => {
      const replaced = run.replacedBy(order);
      return replaced ? [{ run, order: replaced }] : [];
    });
    await this.#find(old, 'protect');
  }

  /** Asks each venue for its part of the orders. */
  async #ask(
    orders: readonly RunOrder[],
    ask: (venue: TradingVenue, orders: readonly RunOrder[]) => Promise<void>,
  ): Promise<void> {
    for (const [exchange, group] of groupBy(orders, ({ run }) => run.stored.exchange)) {
      const venue = this.#tools.venues.get(exchange);
      if (venue) await ask(venue, group);
    }
  }

  /** Calls `step` with each execution. An execution that fails is stored with its fault and left out from then on. */
  async #each(step: (run: ExecutionRun) => void): Promise<void> {
    const { log, storage } = this.#tools;
    const failures: StoredExecution[] = [];
    this.#runs = this.#runs.filter((run) => {
      try {
        step(run);
        return true;
      } catch (error) {
        failures.push(faultedExecution(run.stored, error, log));
        return false;
      }
    });
    await this.#tellOwners(failures);
    await storage.executions.writeAll(failures);
  }

  /** Writes changed executions. An execution that another process has changed since it was read is left out from then on. */
  async #write(evenUnchanged = false): Promise<void> {
    const { executions } = this.#tools.storage;
    const nowMs = Date.now();
    // The note of one that is held is written later, so that nothing more can be written over it here.
    this.#runs = this.#runs.filter((run) => !this.#isHeld(run, nowMs));
    const changed = this.#runs.filter((run) => run.isChanged || (evenUnchanged && run.isIdle));
    const documents = new Map(changed.map((run) => [run.id, run.toStore(nowMs)]));
    await this.#tellOwners([...documents.values()]);
    const written = await executions.writeAll([...documents.values()]);
    for (const run of changed) if (written.has(run.id)) run.noteWritten();
    this.#runs = this.#runs.filter((run) => !documents.has(run.id) || written.has(run.id));
    const stored = [...documents.values()].filter(({ id }) => written.has(id));
    // The answers of the exchange for the refused ones are lost, so their orders are looked up again.
    const refused = [...documents.keys()].filter((id) => !written.has(id));
    await this.#tools.due.add(await executions.wake(refused, nowMs));
    this.#tools.levels.tell(stored);
    for (const each of stored) this.#unannounced.set(each.id, each);
    await this.#announce(this.#runs.filter(({ isIdle }) => isIdle).map(({ id }) => id));
    for (const { dueAt } of stored) if (dueAt) this.#tools.wakeAt(this.#slot, dueAt.getTime());
  }

  /**
   * Announces the levels of executions that have no request under way: a price that crossed them meanwhile would change the stored
   * document, and what the exchange has answered could not be written over it. They see the prices that they have missed.
   */
  async #announce(ids: readonly string[]): Promise<void> {
    const ready = ids.flatMap((id) => this.#unannounced.get(id) ?? []);
    for (const { id } of ready) this.#unannounced.delete(id);
    await this.#tools.levels.announce(ready);
  }

  /** Tells the owners by mail what they should look at: before it is stored, so that a crash loses no mail. */
  async #tellOwners(documents: readonly StoredExecution[]): Promise<void> {
    for (const { id, userId, events } of documents) {
      const mails = mailsOf(events);
      const untold = new Set(mails.slice(this.#told.get(id) ?? 0));
      this.#told.set(id, mails.length);
      for (const kind of untold) await tellOwner(this.#tools.storage, userId, kind);
    }
  }

  /** Whether all that is left is that the exchange has accepted an order. That is written later, together with others. */
  #isHeld(run: ExecutionRun, nowMs: number): boolean {
    const opened = run.isIdle ? run.opened(nowMs) : null;
    if (!opened) return false;
    this.#tools.opened.hold(run.id, opened);
    if (opened.dueAt) this.#tools.wakeAt(this.#slot, opened.dueAt.getTime());
    return true;
  }

  #orders(which: 'toPlace' | 'toCancel'): RunOrder[] {
    return this.#runs.flatMap((run) => run[which].map((order) => ({ run, order })));
  }
}

/** The lines of a timeline that its owner gets a mail about. */
const mailedLines: Partial<Record<string, MailKind>> = {
  cancelled_by_hand: 'cancelled',
  close_refused: 'unserved',
  not_traded: 'unserved',
  oversold: 'oversold',
  unserved: 'unserved',
};

const mailsOf = (events: readonly ExecutionLine[]): MailKind[] =>
  events.flatMap(({ type }) => mailedLines[type] ?? []);

const marketOf = ({ stored: { market, pair } }: ExecutionRun): string => `${market} ${pair}`;

const rulesKeyOf = ({ stored: { exchange, account, pair } }: ExecutionRun): string =>
  `${exchange} ${account} ${pair}`;

function ifUnanswered(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

const stopsFirst = (orders: readonly RunOrder[]): RunOrder[] =>
  orders.toSorted((one, other) => Number(other.order.type === 'stop') - Number(one.order.type === 'stop'));

function refOf({ run, order }: RunOrder): OrderRef {
  const { userId, pair, account, marginMode } = run.stored;
  return { userId, pair: parsePair(pair)!, account, marginMode, clientOrderId: order.clientOrderId };
}

const termsOf = ({ side, type, price, stopPrice, targetPrice, quantity }: StoredOrder): VenueOrderTerms => ({
  side,
  type,
  price: readOrNull(price),
  stopPrice: readOrNull(stopPrice),
  ...(targetPrice !== undefined && { targetPrice: Decimal.read(targetPrice) }),
  quantity: Decimal.read(quantity),
});

function venueOrder({ run, order }: RunOrder): VenueOrder {
  const old = run.replacedBy(order);
  return {
    ...refOf({ run, order }),
    ...termsOf(order),
    owner: run.id,
    reduces: order.reduces,
    ...(old && {
      replaces: {
        ...refOf({ run, order: old }),
        ...termsOf(old),
        filled: Decimal.read(order.replaces!.filled),
        exchangeOrderId: old.exchangeOrderId,
      },
    }),
    isNew: run.isNew(order),
    sendBefore: (order.sentAt ?? order.createdAt).getTime() + sendWithinMs,
    leverage: run.state.leverage,
    marginMode: run.stored.marginMode,
  };
}
