import type { Decimal } from '../../../compute/model/decimal.js';
import type { ExecutionNote } from '../../../compute/signals/execution-draft.js';
import type { ExecutionLine } from '../../../storage/signals/stored-execution.js';

const liquidationPriceLine = 'liquidation_price';

/** For this time (ms) after a line about a moved stop, further moves replace that line. */
const followingMs = 60_000;

/** Beyond this number of lines, the oldest lines about moved stops and refused or unfilled orders are dropped. */
const mostLines = 1_000;
const repeatedTypes = new Set(['entry_unfilled', 'stop_moved', 'order_refused']);

/** The timeline of an execution while it is advanced. */
export class RunTimeline {
  readonly lines: ExecutionLine[];

  constructor(stored: readonly ExecutionLine[]) {
    this.lines = [...stored];
  }

  add({ type, cause, figures = {} }: ExecutionNote, atMs: number): void {
    const line = { at: new Date(atMs), type, cause, figures: { ...figures } };
    const last = this.lines.at(-1);
    const isSame = type === 'stop_moved' && last?.type === type && atMs - last.at.getTime() < followingMs;
    if (isSame) this.lines[this.lines.length - 1] = { ...line, at: last.at };
    else this.lines.push(line);
    if (this.lines.length <= mostLines) return;
    const oldest = this.lines.findIndex((each) => repeatedTypes.has(each.type));
    if (oldest >= 0) this.lines.splice(oldest, 1);
  }

  /** Adds the liquidation price if it has changed. Answers whether it has. */
  addLiquidationPrice(price: Decimal | null, atMs: number): boolean {
    const text = price?.toString() ?? 'none';
    const last = this.lines.findLast(({ type }) => type === liquidationPriceLine);
    if ((last?.figures.price ?? 'none') === text) return false;
    const cause = 'the exchange closes the position at this price, since its margin is used up there';
    this.add({ type: liquidationPriceLine, cause, figures: { price: text } }, atMs);
    return true;
  }
}
