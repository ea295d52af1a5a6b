import { setTimeout as pause } from 'node:timers/promises';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import type { ExecutionDocument } from '../../../storage/signals/executions.js';
import { announceSignal } from '../../../storage/signals/signal-wakes.js';
import type { SignalCommandEvent } from '../../../storage/signals/partner-signal.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { ExchangeLedger } from '../fake-exchange/exchange-ledger.js';
import { seededRandom, type Random } from '../fake-exchange/seeded-random.js';
import { everything } from '../signals/new-subscription.js';
import { newSignal, signalTerms } from '../signals/signal-terms.js';
import type { FaultScene, ScenePrice } from './fault-scene.js';
import { judgeExecution, type JudgedFault } from './judge-execution.js';
import { bareTimeline } from './bare-timeline.js';
import { longestUnprotected, type BareTime } from './longest-unprotected.js';
import {
  pricePath,
  signalScenario,
  type PathStep,
  type ScenarioPair,
  type SignalScenario,
} from './signal-scenario.js';
import { exchangeLedgerOrders, paperLedger, type VenueLedgerOrder } from './venue-ledger.js';
import { keyOf } from '../venues/live-rig.js';

export interface WaveTerms {
  seed: number;
  /** Signals at the same time. Those on one pair share its prices. */
  runs: number;
  /** Breaks things while the prices go on. */
  breakThings: (scene: FaultScene, random: Random) => Promise<void>;
  /** Time between two prices. */
  stepMs: number;
  /** How long everything may take to end once nothing is broken any more. */
  withinMs: number;
}

export interface WaveResult {
  executions: number;
  orders: number;
  fills: number;
  faults: JudgedFault[];
  /** From the last price to the end of the last execution. */
  settledMs: number;
  /** The longest time (ms) in which a position was without the stop of its signal that was to stand at the exchange. */
  unprotectedMs: number;
  /** What happened in that time. */
  unprotected: string[];
  /** Requests of this wave that the exchange refused because of a limit. */
  beyondLimits: number;
}

/** A signal on its way. */
interface WaveRun {
  partnerId: string;
  pair: ScenarioPair;
  path: readonly PathStep[];
  scenario: SignalScenario;
  signalId: string;
  userIds: string[];
  /** Those whose stop is to stand at the exchange. */
  stopped: string[];
}

/** On FUTURES with as much as on SPOT, twice: what a price does to the margin is in it. */
const accountTerms = {
  SPOT: { account: 'SPOT' },
  FUTURES: { account: 'FUTURES', marginType: 'ISOLATED', leverage: 2 },
} as const;

let waves = 0;

/** Lets signals live along their paths while things break, ends them by a cancel, and judges what is left. */
export async function runWave(scene: FaultScene, terms: WaveTerms): Promise<WaveResult> {
  const random = seededRandom(terms.seed);
  const runs = await startRuns(scene, terms, random);
  const breaking = terms.breakThings(scene, random);
  await walk(scene, runs, terms.stepMs, breaking);
  await delivered(scene, runs, terms.withinMs);
  for (const run of runs) await patiently(() => command(scene, run, { type: 'cancel' }));
  const endedAt = performance.now();
  await settle(scene, runs, terms.withinMs);
  const settledMs = performance.now() - endedAt;
  return { ...(await judge(scene, runs)), settledMs };
}

async function startRuns(scene: FaultScene, { runs: count }: WaveTerms, random: Random): Promise<WaveRun[]> {
  const wave = ++waves;
  const pairs = scene.pairs.slice(0, count);
  const paths = pairs.map((pair) => pricePath(random, pair));
  await scene.tell(pairs.map(({ base, price }) => ({ base, price: String(price), volume: null })));
  const runs: WaveRun[] = [];
  for (let n = 0; n < count; n++) {
    const [pair, path] = [pairs[n % pairs.length], paths[n % pairs.length]];
    const partnerId = `wave-${wave}-run-${n}`;
    const names = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, u) => `${partnerId}-user-${u}`);
    const userIds = await Promise.all(names.map((name) => scene.user(name)));
    const channelId = `channel of ${partnerId}`;
    const settings = userIds.map((userId) => settingsOf(scene, userId, channelId, random));
    for (const each of settings) await scene.storage.subscriptions.add(each);
    const scenario = signalScenario(random, pair, path);
    const added = await scene.storage.signals.add(
      newSignal(partnerId, {
        terms: { ...signalTerms, ...scenario.terms, ...accountTerms[scene.account], investPercent: null },
      }),
    );
    if (added === 'key_reused') throw new Error(added);
    await announceSignal(scene.client, partnerId);
    const hasStop = scenario.terms.stopLoss !== null && scene.hasStops;
    const stopped = settings.filter(({ stopOnExchange }) => stopOnExchange && hasStop);
    runs.push({
      ...{ partnerId, pair, path, scenario, signalId: added.id, userIds },
      stopped: stopped.map(({ userId }) => userId),
    });
  }
  return runs;
}

const settingsOf = ({ venue }: FaultScene, userId: string, channelId: string, random: Random) => ({
  ...{ userId, channelId, exchange: venue, autoInvest: true },
  investPercent: random() < 0.5 ? '10' : '3',
  ...everything,
  ...{ maxOpenSignals: 5, maxExposure: '3' },
  sides: ['long' as const, 'short' as const],
  stopOnExchange: random() < 0.5,
});

/** Tells the prices and commands of all runs step by step, for at least as long as things are being broken. */
async function walk(
  scene: FaultScene,
  runs: readonly WaveRun[],
  stepMs: number,
  breaking: Promise<void>,
): Promise<void> {
  let isBreaking = true;
  const broken = breaking.finally(() => (isBreaking = false));
  const steps = Math.max(...runs.map(({ path }) => path.length));
  for (let n = 0; n < steps || isBreaking; n++) {
    await pause(stepMs);
    await patiently(() => scene.tell(pricesAt(runs, n)));
    for (const run of runs) {
      const event = run.scenario.commands.get(n);
      if (event) await patiently(() => command(scene, run, event));
    }
  }
  await broken;
}

/** The prices of a step, once for each pair; after the end of a path its last price. */
function pricesAt(runs: readonly WaveRun[], step: number): ScenePrice[] {
  const byBase = new Map(
    runs.map(({ pair: { base }, path }) => [base, { base, ...path[Math.min(step, path.length - 1)] }]),
  );
  return [...byBase.values()];
}

async function command(scene: FaultScene, run: WaveRun, event: SignalCommandEvent): Promise<void> {
  const { partnerId, signalId } = run;
  const present = (await scene.storage.signals.find(partnerId, signalId))!;
  if (present.status !== 'active') return;
  if (
    event.type !== 'cancel' &&
    present.commands.some(({ event: each }) => JSON.stringify(each) === JSON.stringify(event))
  )
    return;
  await scene.storage.signals.command(present, event, 'the partner said so');
  await announceSignal(scene.client, partnerId);
}

/** Repeats what a partner or the market does while a server does not answer. */
async function patiently(action: () => Promise<void>): Promise<void> {
  const limit = performance.now() + 60_000;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (performance.now() > limit) throw error;
      await pause(200);
    }
  }
}

/** Waits until every signal has reached its subscribers, or was cancelled before. */
async function delivered(scene: FaultScene, runs: readonly WaveRun[], withinMs: number): Promise<void> {
  const limit = performance.now() + withinMs;
  for (;;) {
    await scene.tell(lastPrices(runs));
    const signals = await scene.storage.signals.ofIds(runs.map(({ signalId }) => signalId));
    if (signals.every(({ delivery, status }) => delivery.isDone || status === 'cancelled')) return;
    if (performance.now() > limit) return;
    await pause(200);
  }
}

const lastPrices = (runs: readonly WaveRun[]): ScenePrice[] =>
  pricesAt(runs, Infinity).map((price) => ({ ...price, volume: null }));

/** Repeats the last prices until everything has ended. */
async function settle(scene: FaultScene, runs: readonly WaveRun[], withinMs: number): Promise<void> {
  const limit = performance.now() + withinMs;
  for (;;) {
    await scene.tell(lastPrices(runs));
    const executions = await executionsOf(scene, runs);
    const signals = await scene.storage.signals.ofIds(runs.map(({ signalId }) => signalId));
    const isDelivered = signals.every(({ delivery, dueAt }) => delivery.isDone && dueAt === null);
    if (isDelivered && executions.every(({ endedAt }) => endedAt !== null)) return;
    if (performance.now() > limit) return;
    await pause(300);
  }
}

async function executionsOf(scene: FaultScene, runs: readonly WaveRun[]): Promise<StoredExecution[]> {
  const found = scene.mongo.db
    .collection<ExecutionDocument>('executions')
    .find({ signalId: { $in: runs.map(({ signalId }) => signalId) } });
  return (await found.toArray()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
}

async function judge(scene: FaultScene, runs: readonly WaveRun[]): Promise<Omit<WaveResult, 'settledMs'>> {
  const executions = await executionsOf(scene, runs);
  const userIds = runs.flatMap((run) => run.userIds);
  const stopped = runs.flatMap((run) => run.stopped);
  const withStop = executions.filter(({ userId, state }) => state && stopped.includes(userId));
  const live = scene.exchange && (await scene.exchange.ledger(userIds.map(keyOf)));
  const ledger = live ? venueOrders(live, userIds) : await paperLedger(scene.mongo.db, userIds);
  const faults = executions.flatMap((execution) =>
    judgeExecution(
      execution,
      ledger.filter(({ userId }) => userId === execution.userId),
    ),
  );
  for (const run of runs)
    for (const userId of run.userIds)
      if (!executions.some((execution) => execution.userId === userId) && !cancelsItself(run))
        faults.push({ fault: 'lost order', execution: userId, detail: 'the signal never arrived' });
  for (const [n, { crash }] of scene.workers.entries())
    if (crash) faults.push({ fault: 'worker crashed', execution: `worker ${n + 1}`, detail: crash });
  const requests = await scene.newRequests();
  const bare = live ? withStop.map((execution) => ({ execution, time: unprotectedIn(live, execution) })) : [];
  const longest = bare.toSorted((one, other) => other.time.ms - one.time.ms).at(0);
  const run = longest && runs.findIndex(({ signalId }) => signalId === longest.execution.signalId);
  return {
    executions: executions.length,
    orders: ledger.length,
    fills: executions.flatMap(({ orders }) => orders).reduce((count, { fills }) => count + fills.length, 0),
    faults,
    unprotectedMs: longest?.time.ms ?? 0,
    unprotected:
      longest && live ? [`run ${run}`, ...bareTimeline({ ...longest, ledger: live, requests })] : [],
    beyondLimits: requests.filter(({ isBeyondLimit }) => isBeyondLimit).length,
  };
}

function venueOrders(ledger: ExchangeLedger, userIds: readonly string[]): VenueLedgerOrder[] {
  const byKey = new Map(userIds.map((userId) => [keyOf(userId), userId]));
  return exchangeLedgerOrders(ledger, (apiKey) => byKey.get(apiKey)!);
}

/** How long an execution whose stop is to stand at the exchange was without it at most. */
function unprotectedIn(
  { orders, trades }: ExchangeLedger,
  { userId, state, orders: own }: StoredExecution,
): BareTime {
  const { rules } = decodeExecution(state!);
  const closes = new Set(own.filter(({ leg }) => leg === 'close').map(({ clientOrderId }) => clientOrderId));
  const isOfUser = ({ apiKey }: { apiKey: string }) => apiKey === keyOf(userId);
  const ledger = { orders: orders.filter(isOfUser), trades: trades.filter(isOfUser) };
  const isExit = ({ clientOrderId }: { clientOrderId: string }) => closes.has(clientOrderId);
  return longestUnprotected(ledger, { rules, isExit, untilMs: Date.now() });
}

/** Whether the partner cancels the signal along its path: then it may not have reached everyone. */
const cancelsItself = ({ scenario }: WaveRun): boolean =>
  [...scenario.commands.values()].some(({ type }) => type === 'cancel');
