import { readArguments } from '../../../gateway/mcp/tool-arguments.js';
import { toolNamed } from '../../../gateway/mcp/tools.js';
import type { Caller } from '../../../gateway/context.js';
import { readInput } from '../../../gateway/operation.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { demoHours } from '../candles/demo-candles.js';
import { openTestService, type TestService } from '../gateway/gateway.js';

/** A service whose market are the demo pairs against USDT up to the end of 2023, and its tools. */
export interface ToolAnswers {
  service: TestService;
  /** The payload that a tool answers a user with, or a guest; rejects with the error of the operation. */
  call(name: string, args: Record<string, unknown>, user?: Caller['user']): Promise<object>;
  close(): Promise<void>;
}

/** Seasons and a year of performance need as many. */
const mostHours = 24 * 420;

export async function openToolAnswers(): Promise<ToolAnswers> {
  const service = await openTestService();
  const pairs = [...demoHours()].filter(([pair]) => pair.endsWith('_USDT'));
  await Promise.all(
    pairs.map(async ([pair, hours]) => {
      const [base, quote] = pair.split('_');
      const { length } = hours.time;
      const recent = sliceCandles(hours, Math.max(0, length - mostHours), length);
      await service.storage.candles.add({ market: 'csv', base, quote }, recent);
    }),
  );
  return {
    service,
    async call(name, given, user = null) {
      const tool = toolNamed(name)!;
      const input = readInput(tool.operation.input, tool.input(readArguments(tool.listing, given)));
      const { payload } = await tool.operation.handle(input, service.deps, callerOf(user));
      return payload;
    },
    close: () => service.close(),
  };
}

const callerOf = (user: Caller['user']): Caller => ({
  requestId: 'test',
  user,
  address: '127.0.0.1',
  client: '',
  signal: new AbortController().signal,
  timings: {},
});
