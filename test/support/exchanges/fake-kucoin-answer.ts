import type { FakeAnswer } from './fake-exchange.js';

/** How KuCoin answers what it is asked. */
export const data = (answer: unknown): FakeAnswer => ({
  status: 200,
  body: { code: '200000', data: answer },
});

/** How it refuses. */
export const refusal = (status: number, code: string, msg: string): FakeAnswer => ({
  status,
  body: { code, msg },
});
