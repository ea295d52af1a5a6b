import Joi from 'joi';
import { checkedStrategy } from '../../../jobs/definitions/shared/checked-strategy.js';
import { mostStrategies, unknownVersion } from '../../../storage/strategies/saved-strategies.js';
import { defineOperation } from '../../operation.js';
import {
  rulesInput,
  shownStrategy,
  strategyOutput,
  type RulesJson,
  strategyId,
  versionNumber,
  summaryFields,
  summaryOf,
  hashOutput,
  rulesOutput,
} from './saved-strategy-fields.js';
import { list, text, flag, answerOf } from '../output-fields.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import {
  newestVersion,
  mostStrategyVersions,
  type SavedStrategy,
  type StrategyVersion,
} from '../../../storage/strategies/saved-strategy.js';

/** The hash of rules for some interval: the shortest one allows all others. Throws `invalid_input` for the first fault in them. */
const checkedHash = (strategy: RulesJson): string => checkedStrategy(strategy, '5m').hash;

const { free, plus, pro } = mostStrategies;

export const saveStrategy = defineOperation({
  id: 'save-strategy',
  summary: `Saves a strategy as version 1; ${free} are kept on the plan free, ${plus} on plus, ${pro} on pro.`,
  scope: 'user',
  tokenScope: 'write:strategies',
  input: Joi.object<{ name: string; description: string; strategy: RulesJson }, true>({
    name: Joi.string()
      .trim()
      .min(1)
      .max(80)
      .pattern(/^[^\p{C}]+$/u, 'text without control characters')
      .required()
      .description('name of the strategy')
      .example('RSI below 30'),
    description: Joi.string()
      .allow('')
      .max(2_000)
      .default('')
      .description('what it is for, in your own words'),
    strategy: rulesInput,
  }),
  output: strategyOutput,
  errors: ['too_many_strategies'],
  leadsTo: ['get-saved-strategy', 'change-saved-strategy', 'share-strategy', 'delete-saved-strategy'].map(
    (to) => ({ to, fields: { id: 'payload/id' } }),
  ),
  async handle({ name, description, strategy: rules }, { storage }, { user }) {
    const hash = checkedHash(rules);
    const saved = await storage.savedStrategies.add(user!, { name, description, hash, rules });
    return { payload: shownStrategy(saved) };
  },
});

export const deleteSavedStrategy = defineOperation({
  id: 'delete-saved-strategy',
  summary: 'Deletes a saved strategy with all versions; shared ones are shared no longer.',
  scope: 'user',
  tokenScope: 'write:strategies',
  input: Joi.object<{ id: string }, true>({ id: strategyId }),
  output: answerOf({ deleted: flag('always true') }),
  errors: ['unknown_strategy'],
  async handle({ id }, { storage }, { user }) {
    await storage.savedStrategies.remove(user!.userId, id);
    return { payload: { deleted: true } };
  },
});

export const changeSavedStrategy = defineOperation({
  id: 'change-saved-strategy',
  summary: `Saves other rules as a new version; equal rules make none. Beyond ${mostStrategyVersions} versions the oldest goes that is not shared.`,
  scope: 'user',
  tokenScope: 'write:strategies',
  input: Joi.object<{ id: string; strategy: RulesJson }, true>({ id: strategyId, strategy: rulesInput }),
  output: strategyOutput,
  errors: ['unknown_strategy', 'too_many_strategies'],
  async handle({ id, strategy: rules }, { storage }, { user }) {
    const hash = checkedHash(rules);
    const changed = await storage.savedStrategies.addVersion(user!.userId, id, { hash, rules });
    return { payload: shownStrategy(changed) };
  },
});

/** A version of a strategy by its number; the newest without one. Throws `unknown_strategy` where there is no such version. */
export function versionOfStrategy(strategy: SavedStrategy, version?: number): StrategyVersion {
  if (version === undefined) return newestVersion(strategy);
  const found = strategy.versions.find((each) => each.version === version);
  if (!found) throw unknownVersion(strategy.id, version);
  return found;
}

/** A place in the order of saved strategies: time and id. */
const place = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z str_[a-z2-7]{20}$/;

export const listSavedStrategies = defineOperation({
  id: 'list-saved-strategies',
  summary: 'The strategies that you have saved, without their rules; the one changed last is first.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: Joi.object<PageInput>(pageFields),
  output: answerOf({
    strategies: list(answerOf(summaryFields), 'with their newest version; the one changed last is first'),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [{ to: 'get-saved-strategy', fields: { id: 'payload/strategies/0/id' } }],
  async handle({ limit, cursor }, { storage }, { user }) {
    const after = readCursor(cursor, place);
    const { strategies, next } = await storage.savedStrategies.list(user!.userId, { limit, after });
    return { payload: { strategies: strategies.map(summaryOf), nextCursor: writeCursor(next) } };
  },
});

export const getSavedStrategy = defineOperation({
  id: 'get-saved-strategy',
  summary: 'A saved strategy with the rules of its newest version, or of the one that is asked for.',
  scope: 'user',
  tokenScope: 'read:analysis',
  isLight: true,
  input: Joi.object<{ id: string; version?: number }>({
    id: strategyId,
    version: versionNumber.description('the version whose rules are shown; the newest by default'),
  }),
  output: strategyOutput,
  errors: ['unknown_strategy'],
  async handle({ id, version }, { storage }, { user }) {
    const strategy = await storage.savedStrategies.find(user!.userId, id);
    return { payload: shownStrategy(strategy, versionOfStrategy(strategy, version)) };
  },
});

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
