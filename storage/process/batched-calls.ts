import { Batcher, type BatcherOptions } from './batcher.js';

interface Call<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (error: unknown) => void;
}

export interface BatchedCallsOptions<Input, Output> extends Pick<
  BatcherOptions<Input>,
  'maxCount' | 'maxSize' | 'sizeOf'
> {
  /** Makes several calls at once. Resolves with one output for each input, in their order. */
  send: (inputs: Input[]) => Promise<Output[]>;
}

/**
 * A function whose calls of the same moment are made as one, one batch after the other. A call resolves with its own
 * output; when a batch fails, each of its calls rejects.
 */
export function batchedCalls<Input, Output>({
  send,
  sizeOf,
  ...limits
}: BatchedCallsOptions<Input, Output>): (input: Input) => Promise<Output> {
  const batcher = new Batcher<Call<Input, Output>>({
    ...limits,
    ...(sizeOf && { sizeOf: ({ input }) => sizeOf(input) }),
    concurrency: 1,
    async send(calls) {
      try {
        const outputs = await send(calls.map(({ input }) => input));
        calls.forEach(({ resolve }, n) => resolve(outputs[n]));
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    },
  });
  return (input) => new Promise((resolve, reject) => batcher.push({ input, resolve, reject }));
}
