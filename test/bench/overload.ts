import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { onCluster, traceId, type BenchCluster } from './bench-cluster.js';
import { spinJob } from './bench-jobs.js';
import { ms, percentile, printTable } from './measure.js';
import { residentMb } from './process-cost.js';

const taskMs = 5;
const times = 10;
const tickMs = 10;
const longestRecoveryMs = 15_000;
/** The default of QUEUE_DEPTH. */
const depthLimit = 1_000;

/** Ten times as many questions as the node can answer: what becomes of them, of memory, and of those who come after. */
export const benchOverload = (seconds = 30): Promise<void> =>
  onCluster(
    async (cluster) => {
      const asker = new Asker(cluster);
      const capacity = await asker.capacity();
      const usual = await asker.oneAfterTheOther(100);
      const memory = [['', 'gateway', 'node'], asker.memory('memory at the start')];
      const offered = capacity * times;
      let recovery: Promise<string> = Promise.resolve('');
      const flood = asker.flood(offered, seconds, () => {
        memory.push(asker.memory('  at the end'));
        recovery = asker.recovery(percentile(usual, 0.5));
      });
      await pause((seconds * 1_000) / 2);
      memory.push(asker.memory('  in the middle'));
      const outcomes = await flood;
      const recovered = await recovery;
      const rows = [...outcomes].map(([name, waits]) => [
        name,
        String(waits.length),
        `${(waits.length / seconds).toFixed(0)}/s`,
        ms(percentile(waits, 0.5)),
        ms(percentile(waits, 0.99)),
      ]);
      const title = `${offered.toFixed(0)} questions a second of ${taskMs} ms for ${seconds} s, where ${capacity.toFixed(0)} can be done`;
      printTable(title, [['', 'questions', '', 'p50', 'p99'], ...rows]);
      printTable('memory', memory);
      console.log(`usual latency p50 ${ms(percentile(usual, 0.5))}; back to it after ${recovered}`);
    },
    { depthLimit, pairs: 0 },
  );

/** Asks what nobody has asked before. */
class Asker {
  readonly #cluster: BenchCluster;
  #next = 0;

  constructor(cluster: BenchCluster) {
    this.#cluster = cluster;
  }

  #ask(): Promise<unknown> {
    return this.#cluster.queues.run(spinJob, { n: this.#next++, ms: taskMs }, { traceId });
  }

  /** Questions a second that the node can answer: 64 callers, each of whom asks the next when it has its answer. */
  async capacity(): Promise<number> {
    const until = performance.now() + 3_000;
    let done = 0;
    const caller = async () => {
      for (; performance.now() < until; done++) await this.#ask();
    };
    await Promise.all(Array.from({ length: 64 }, caller));
    return done / 3;
  }

  async oneAfterTheOther(count: number): Promise<number[]> {
    const waits: number[] = [];
    for (let n = 0; n < count; n++) {
      const started = performance.now();
      await this.#ask();
      waits.push(performance.now() - started);
    }
    return waits;
  }

  /** Asks whatever comes of it; how long each waited, by how it ended. `over` is called when all are asked. */
  async flood(perSecond: number, seconds: number, over: () => void): Promise<Map<string, number[]>> {
    const outcomes = new Map<string, number[]>();
    const note = (name: string, waited: number) => {
      const waits = outcomes.get(name);
      if (waits) waits.push(waited);
      else outcomes.set(name, [waited]);
    };
    const started = performance.now();
    let open = 0;
    let asked = 0;
    for (let now = started; now < started + seconds * 1_000; now = performance.now()) {
      for (const due = ((now - started) / 1_000) * perSecond; asked < due; asked++) {
        const from = performance.now();
        open++;
        this.#ask()
          .then(
            () => note('answered', performance.now() - from),
            (error: unknown) =>
              note(error instanceof AppError ? error.code : String(error), performance.now() - from),
          )
          .finally(() => open--);
      }
      await pause(tickMs);
    }
    over();
    while (open > 0) await pause(tickMs);
    return outcomes;
  }

  /** How long it takes until most of ten in a row are answered about as fast as usual. */
  async recovery(defaultMs: number): Promise<string> {
    const started = performance.now();
    while (performance.now() - started < longestRecoveryMs) {
      const from = performance.now();
      const waits = await this.oneAfterTheOther(10).catch(() => [Infinity]);
      if (percentile(waits, 0.5) <= 1.5 * defaultMs) return ms(from - started);
      await pause(tickMs);
    }
    return `more than ${ms(longestRecoveryMs)}`;
  }

  memory(title: string): string[] {
    const [node] = this.#cluster.nodes;
    const mb = (pid: number) => `${residentMb(pid).toFixed(0)} MB`;
    return [title, mb(process.pid), mb(node.process.pid!)];
  }
}
