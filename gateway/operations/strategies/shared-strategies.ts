import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import {
  shownStrategy,
  strategyId,
  strategyOutput,
  versionNumber,
  hashOutput,
  rulesOutput,
} from './saved-strategy-fields.js';
import { text, answerOf } from '../output-fields.js';

export const getSharedStrategy = defineOperation({
  id: 'get-shared-strategy',
  summary: 'The rules and the name of a shared version, by its hash; never whose it is.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: Joi.object<{ hash: string }, true>({
    hash: Joi.string()
      .pattern(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')
      .required()
      .description('hash of the version')
      .example('dc89a299927bf1801cb1ab454925fe0db104eea68fdad8067d7f9c20096909be'),
  }),
  output: answerOf({
    name: text('name that its user gave it'),
    hash: hashOutput,
    rules: rulesOutput,
  }),
  errors: ['unknown_strategy'],
  async handle({ hash }, { storage }) {
    return { payload: await storage.savedStrategies.shared(hash) };
  },
});

export const shareStrategy = defineOperation({
  id: 'share-strategy',
  summary: 'Lets everyone who knows the hash of a version read, run and copy its rules, or ends that.',
  scope: 'user',
  tokenScope: 'write:strategies',
  input: Joi.object<{ id: string; version: number; shared: boolean }, true>({
    id: strategyId,
    version: versionNumber.required().description('the version').example(1),
    shared: Joi.boolean().required().description('true: it is shared; false: no longer').example(true),
  }),
  output: strategyOutput,
  errors: ['unknown_strategy'],
  async handle({ id, ...share }, { storage }, { user }) {
    return { payload: shownStrategy(await storage.savedStrategies.share(user!.userId, id, share)) };
  },
});
