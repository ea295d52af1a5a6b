import Joi from 'joi';
import type { SharedStrategy } from '../../../storage/strategies/saved-strategy.js';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';
import { hashOutput, rulesOutput } from './saved-strategy-fields.js';

/** The rules of a version that its user shares. */
export const getSharedStrategy = defineOperation<{ hash: string }, SharedStrategy>({
  id: 'get-shared-strategy',
  summary: 'The rules and the name of a shared version, by its hash; never whose it is.',
  scope: 'user',
  tokenScope: 'read:analysis',
  cost: 1,
  isLight: true,
  input: Joi.object<{ hash: string }, true>({
    hash: Joi.string()
      .pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')
      .required()
      .description('hash of the version')
      .example('dc89a299927bf1801cb1ab454925fe0db104eea68fdad8067d7f9c20096909be'),
  }),
  output: Joi.object<SharedStrategy, true>({
    name: text('name that its user gave it'),
    hash: hashOutput,
    rules: rulesOutput,
  }),
  errors: ['unknown_strategy'],
  async handle({ hash }, { storage }) {
    return { payload: await storage.savedStrategies.shared(hash) };
  },
});
