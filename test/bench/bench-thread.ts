import { assessTrade, type RiskInput } from '../../compute/risk/assess-risk.js';
import { ScratchBuffers } from '../../compute/model/scratch-buffers.js';
import runTasks from '../../compute/worker.js';
import { runTaskBatch, type TaskBatch, type TaskRequest, type TaskResponse } from '../../compute/task.js';

/** What a thread of the benchmarks can be asked besides the tasks there are: to compute for so many ms. */
export interface Spin {
  ms: number;
}

/** The threads of a benchmark's node. Requests of one parcel are of one name. */
export default function run(parcel: TaskBatch): (TaskResponse | null)[] {
  const own = byName[parcel.requests[0].name];
  return own ? runTaskBatch(parcel, own) : runTasks(parcel);
}

const scratch = new ScratchBuffers();

const byName: Record<string, ((request: TaskRequest) => TaskResponse) | undefined> = {
  spin({ input }) {
    const started = performance.now();
    const { ms } = input as Spin;
    if (ms > 0) while (performance.now() - started < ms);
    return { ok: true, output: 'null', computeMs: performance.now() - started };
  },
  /** Risk assessments one after the other, and nothing else: what they cost without a way to and fro. */
  'assess all'({ input }) {
    const started = performance.now();
    for (const each of input as RiskInput[]) {
      assessTrade(each, scratch);
      scratch.clear();
    }
    return { ok: true, output: null, computeMs: performance.now() - started };
  },
};
