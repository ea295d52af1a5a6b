import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StrategyName } from '../../../compute/strategies/index.js';

/** In MB: what a backtest needs at once beyond its candles, and what it allocates in all, garbage included. */
export interface BacktestMemory {
  needed: number;
  allocated: number;
}

/** So much garbage fits without a collection that would hide it. */
const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** What one backtest takes, measured in a process of its own. */
export function backtestMemory(
  kind: 'task' | 'whole',
  strategy: StrategyName,
  candles: number,
): BacktestMemory {
  const main = fileURLToPath(new URL('backtest-memory-main.js', import.meta.url));
  const printed = execFileSync(process.execPath, [...flags, main, kind, strategy, String(candles)]);
  const { needed, allocated } = JSON.parse(printed.toString()) as BacktestMemory;
  return { needed: needed / 1e6, allocated: allocated / 1e6 };
}
