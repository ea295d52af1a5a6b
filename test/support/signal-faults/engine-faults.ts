import { setTimeout as pause } from 'node:timers/promises';
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
  breakThings: WaveTerms['breakThings'];
}

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
