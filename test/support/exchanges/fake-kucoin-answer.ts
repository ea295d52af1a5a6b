import type { FakeAnswer } from './fake-exchange.js';

/** The envelope of an answer of KuCoin. */
export const data = (answer: unknown): FakeAnswer => ({
  status: 200,
  body: { code: '200000', data: answer },
});

/** The envelope of a refusal of KuCoin. */
export const refusal = (status: number, code: string, msg: string): FakeAnswer => ({
  status,
  body: { code, msg },
});
