import { setTimeout as pause } from 'node:timers/promises';
import type { FaultRule } from '../fake-exchange/fault-script.js';
import type { Random } from '../fake-exchange/seeded-random.js';
import type { FaultScene } from './fault-scene.js';
import type { WaveTerms } from './fault-wave.js';

const awayMs = 1_500;
/** How long a worker may take to come to the write before which it is killed. */
const writeWithinMs = 4_000;
const mostWrites = 25;

const lifeOf = (random: Random): number => Math.floor(random() * mostWrites);

/** Kills the worker at writes by chance, several times; another life follows each. */
const killed =
  (isWritten: boolean, lives = 4): WaveTerms['breakThings'] =>
  async ({ workers: [worker] }, random) => {
    for (let life = 0; life < lives; life++) {
      if (await worker.accident({ kind: 'kill', isWritten }, lifeOf(random), writeWithinMs))
        await worker.restart();
    }
  };

async function away(
  scene: FaultScene,
  name: 'redis' | 'mongodb',
  isEmptied: boolean,
  random: Random,
): Promise<void> {
  await pause(random() * 1_500);
  await scene[name].kill();
  if (isEmptied) await scene[name].empty();
  await pause(awayMs);
  await scene[name].start();
  await pause(500);
}

/** What is broken, and how many workers there are. */
export interface EngineFault {
  workers: number;
  /** Redis is a primary and its replica under sentinels. */
  hasSentinels?: true;
  breakThings: WaveTerms['breakThings'];
}

/** What goes wrong with requests to the exchange, each with a small chance. */
const requestFaults: readonly FaultRule[] = [
  { on: 'create', fault: { kind: 'silence', isDone: true } },
  { on: 'create', fault: { kind: 'silence', isDone: false } },
  { on: 'create', fault: { kind: 'reset', isDone: true } },
  { on: 'create', fault: { kind: 'reset', isDone: false } },
  { on: 'create', fault: { kind: 'unreadable' } },
  { on: 'create', fault: { kind: 'empty' } },
  { on: 'create', fault: { kind: 'hidden', ms: 1_000 } },
  { on: 'create', fault: { kind: 'late arrival', ms: 3_000 } },
  { on: 'create', fault: { kind: 'status', isDone: true, status: 504, code: -1007, message: 'Timeout.' } },
  { on: 'cancel', fault: { kind: 'reset', isDone: true } },
  { on: 'cancel', fault: { kind: 'status', isDone: false, status: 502 } },
  { on: 'trades', fault: { kind: 'odd rows' } },
  { on: 'find', fault: { kind: 'unreadable' } },
  { on: 'signed', fault: { kind: 'late answer', ms: 1_500 } },
  { on: 'signed', fault: { kind: 'status', isDone: false, status: 503 } },
  { on: 'signed', fault: { kind: 'status', isDone: false, status: 429, code: -1003, retryAfter: 1 } },
];

/** The faults of requests, and with them another thing that breaks. */
const withRequests =
  (chance: number, more: WaveTerms['breakThings']): WaveTerms['breakThings'] =>
  async (scene, random) => {
    const rules = requestFaults.map((rule) => ({ ...rule, chance, times: null }));
    await scene.exchange!.faults({ seed: Math.floor(random() * 2 ** 31), rules });
    await more(scene, random);
    await pause(4_000);
    await scene.exchange!.faults({ seed: 1, rules: [] });
  };

/** Kills the worker at requests to the exchange, before or after they are done. */
const killedAtRequests: WaveTerms['breakThings'] = async ({ exchange, workers: [worker] }, random) => {
  for (let life = 0; life < 4; life++) {
    await exchange!.client(worker.pid);
    const fault = { kind: 'kill client', isDone: random() < 0.5 } as const;
    const on = random() < 0.6 ? 'create' : 'signed';
    await exchange!.faults({ seed: 1, rules: [{ on, skip: Math.floor(random() * 12), fault }] });
    if (await worker.ended(writeWithinMs)) await worker.restart();
  }
  await exchange!.faults({ seed: 1, rules: [] });
};

/** Stops the worker for 20 s while an order that it has sent is answered, or is on its way. */
const stoppedAtRequest: WaveTerms['breakThings'] = async ({ exchange, workers: [worker] }, random) => {
  await exchange!.client(worker.pid);
  const fault = { kind: 'stop client', isDone: random() < 0.5, ms: 20_000 } as const;
  await exchange!.faults({ seed: 1, rules: [{ on: 'create', skip: Math.floor(random() * 4), fault }] });
  await pause(22_000);
  await exchange!.faults({ seed: 1, rules: [] });
};

/** What is broken between Tidemark and a real exchange, by name. */
export const exchangeFaults: Readonly<Record<string, EngineFault>> = {
  'nothing on an exchange': { workers: 1, breakThings: () => Promise.resolve() },
  'requests go wrong': { workers: 1, breakThings: withRequests(0.03, () => Promise.resolve()) },
  'requests go wrong, kill -9 at writes': { workers: 1, breakThings: withRequests(0.02, killed(false, 3)) },
  'kill -9 at requests': { workers: 1, breakThings: killedAtRequests },
  'stopped for 20 s at a request': { workers: 2, breakThings: stoppedAtRequest },
  maintenance: {
    workers: 1,
    breakThings: async ({ exchange }, random) => {
      await pause(random() * 1_500);
      await exchange!.maintenance(3_000);
    },
  },
  'clock of the exchange ahead and behind': {
    workers: 1,
    breakThings: async ({ exchange }, random) => {
      for (const aheadMs of [7_000, -7_000, 0]) {
        await pause(random() * 1_500);
        await exchange!.clock(aheadMs);
      }
    },
  },
};

/** What is broken, by name. */
export const engineFaults: Readonly<Record<string, EngineFault>> = {
  nothing: { workers: 1, breakThings: () => Promise.resolve() },
  'kill -9 before a write': { workers: 1, breakThings: killed(false) },
  'kill -9 after a write': { workers: 1, breakThings: killed(true) },
  'kill -9 of one of two': { workers: 2, breakThings: killed(false) },
  'stopped for 20 s at a write': {
    workers: 2,
    breakThings: async ({ workers: [worker] }, random) => {
      if (await worker.accident({ kind: 'stop', ms: 20_000 }, lifeOf(random), writeWithinMs))
        await pause(20_500);
    },
  },
  'ended and started': {
    workers: 1,
    breakThings: async ({ workers: [worker] }, random) => {
      for (let life = 0; life < 3; life++) {
        await pause(random() * 1_500);
        await worker.stop();
        await worker.restart();
      }
    },
  },
  'Redis killed': { workers: 1, breakThings: (scene, random) => away(scene, 'redis', false, random) },
  'Redis emptied': { workers: 1, breakThings: (scene, random) => away(scene, 'redis', true, random) },
  'primary of sentinels killed': {
    workers: 2,
    hasSentinels: true,
    breakThings: async (scene, random) => {
      await pause(random() * 1_500);
      await scene.redis.kill();
      await scene.redis.start();
    },
  },
  'one after the other': {
    workers: 1,
    breakThings: async (scene, random) => {
      await killed(false, 1)(scene, random);
      await killed(true, 1)(scene, random);
      await away(scene, 'redis', true, random);
    },
  },
  'MongoDB killed': { workers: 1, breakThings: (scene, random) => away(scene, 'mongodb', false, random) },
};
