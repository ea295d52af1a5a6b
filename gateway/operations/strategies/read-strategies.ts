import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import {
  shownStrategy,
  strategyId,
  strategyOutput,
  versionNumber,
  summaryFields,
  summaryOf,
  rulesInput,
  type RulesJson,
} from './saved-strategy-fields.js';
import { list, text, flag, answerOf } from '../output-fields.js';
import { pageFields, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import { unknownVersion } from '../../../storage/strategies/saved-strategies.js';
import {
  newestVersion,
  mostStrategyVersions,
  type SavedStrategy,
  type StrategyVersion,
} from '../../../storage/strategies/saved-strategy.js';
import { checkedHash } from './save-strategy.js';

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
