import { AppError } from '../../../compute/model/errors.js';
import { openLog } from '../../../storage/process/log.js';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import type { Job } from '../../../jobs/job.js';
import { openTestNode } from './test-node.js';

/** A compute node whose one job runs until it is released or ended. */
export interface HeldNode {
  /** How many runs have begun, and how many of them were ended because nobody waits for them. */
  started: number;
  ended: number;
  /** Reports progress of what runs. */
  report: (phase: string, fraction: number) => void;
  /** Lets all runs answer with this. The answer is remembered, so that the same question does not run again. */
  release: (result: unknown) => void;
  /** Lets all runs fail with this error, by default an `invalid_input`. A failure is not remembered. */
  fail: (error?: AppError) => void;
  close: () => Promise<void>;
}

/** Starts such a node, which takes over the jobs of that name. */
export async function openHeldNode(
  redisUrl: string,
  // The job of any operation.
  // oxlint-disable-next-line typescript/no-explicit-any
  job: Job<string, any, any, any>,
): Promise<HeldNode> {
  let release: HeldNode['release'] = () => undefined;
  let fail: HeldNode['fail'] = () => undefined;
  const released = new Promise<unknown>((resolve, reject) => {
    release = resolve;
    fail = (error = new AppError('invalid_input', 'the node fails')) => reject(error);
  });
  released.catch(() => undefined);
  const reports = new Set<HeldNode['report']>();
  const holding: AnyJob = {
    ...job,
    run: async (_payload: unknown, _tools: unknown, { signal, progress }) => {
      node.started += 1;
      reports.add(progress);
      const aborted = new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          node.ended += 1;
          reject(signal.reason as Error);
        }),
      );
      return Promise.race([released, aborted]).finally(() => reports.delete(progress));
    },
  };
  const log = openLog({ LOG_LEVEL: 'silent' }, 'test');
  const { close } = await openTestNode({ redisUrl, jobs: [holding], log, threads: 4 });
  const node: HeldNode = {
    started: 0,
    ended: 0,
    report: (phase, fraction) => {
      for (const report of reports) report(phase, fraction);
    },
    release,
    fail,
    async close() {
      fail();
      await close();
    },
  };
  return node;
}
