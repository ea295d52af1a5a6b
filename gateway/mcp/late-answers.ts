import { randomBytes } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';

/** The tool that fetches late answers, and the scope that it needs. */
export const lateAnswerTool = 'get_backtest_result';
export const lateAnswerScope = 'read:analysis';

/** How long an answer that came too late for its call can be fetched. */
const keptSeconds = 3_600;

/** Longer than a call can run. An answer that is still pending then is lost: Redis did not answer, or the gateway has ended. */
const pendingSeconds = 300;

const idPattern = /^call_[\w-]{22}$/;

const keyOf = (userId: string, id: string) => `tidemark:mcp:late:${userId}:${id}`;

const pending = 'pending';

/** Answers of calls that take longer than clients wait. They belong to the user who called. */
export class LateAnswers {
  readonly #redis: Redis;

  constructor(redis: Redis) {
    this.#redis = redis;
  }

  /** Whether a text has the form of an id of a late answer. */
  static isId(text: unknown): text is string {
    return typeof text === 'string' && idPattern.test(text);
  }

  /** Returns an id and keeps the answer under it when it comes. `answer` must not reject. Rejects if Redis does not answer. */
  async promise(userId: string, answer: Promise<CallToolResult>): Promise<string> {
    const id = `call_${randomBytes(16).toString('base64url')}`;
    const key = keyOf(userId, id);
    await this.#redis.set(key, pending, 'EX', pendingSeconds);
    void answer
      .then((result) => this.#redis.set(key, JSON.stringify(result), 'EX', keptSeconds))
      .catch(() => undefined);
    return id;
  }

  /** The answer with that id. Throws `unknown_backtest` for an unknown or expired id, `still_running` before the answer is there. */
  async find(userId: string, id: string): Promise<CallToolResult> {
    const text = await this.#redis.get(keyOf(userId, id));
    const details = { field: 'backtest_id' };
    if (text === null)
      throw new AppError('unknown_backtest', `no result "${id}" is kept; run the tool again`, { details });
    if (text !== pending) return JSON.parse(text) as CallToolResult;
    throw new AppError('still_running', `the result "${id}" is not there yet`, {
      details: { retryAfterSeconds: 5 },
    });
  }
}
