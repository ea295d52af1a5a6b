import Joi from 'joi';
import type { KeyPermissions } from '../../storage/exchanges/key-permissions.js';
import type { KeyTrial } from '../../storage/accounts/sent-keys.js';
import { tryKey } from '../../storage/exchanges/try-key.js';
import { defineJob, type ExchangeTools } from '../job.js';

/** Long enough for a second worker to take over from one that died, and short enough for a user who waits. */
const limitMs = 25_000;

/** Tries a key of an exchange. The key is stored apart: neither the job nor its result contains it. */
export const tryKeyJob = defineJob({
  name: 'try-key',
  queue: 'exchanges',
  timeoutMs: limitMs,
  payload: Joi.object<KeyTrial, true>({
    userId: Joi.string().required(),
    exchange: Joi.string().required(),
    ticket: Joi.string().required(),
  }),
  // A ticket belongs to one request. Its result is kept only for a gateway that misses the reply.
  keepMs: () => limitMs,
  async run(trial, { exchanges, sentKeys }: ExchangeTools, { signal }): Promise<KeyPermissions> {
    return tryKey(exchanges, trial.exchange, await sentKeys.open(trial), signal);
  },
});
