import { performance } from 'node:perf_hooks';

/** How busy a process was: the cores it kept busy as a whole, and the share of time its event loop was. */
export interface ProcessLoad {
  cpu: number;
  eventLoop: number;
}

/** The load between one call and the next. */
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
