import { performance } from 'node:perf_hooks';

/** The load of a process: CPU use in cores, and the share of time in which its event loop was busy (0 to 1). */
export interface ProcessLoad {
  cpu: number;
  eventLoop: number;
}

/** A function that returns the load since it was last called. */
export function measureLoad(): () => ProcessLoad {
  let at = performance.now();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  return () => {
    const [lastAt, last] = [at, loop];
    const { user, system } = process.cpuUsage(cpu);
    [at, cpu, loop] = [performance.now(), process.cpuUsage(), performance.eventLoopUtilization()];
    const { utilization } = performance.eventLoopUtilization(loop, last);
    return { cpu: round((user + system) / 1_000 / Math.max(1, at - lastAt)), eventLoop: round(utilization) };
  };
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;
