import Joi from 'joi';
import {
  mostStrategyVersions,
  newestVersion,
  strategyIdPattern,
  type SavedStrategy,
} from '../../../storage/strategies/saved-strategy.js';
import { count, date, flag, list, text, type ValueOf, answerOf, type Answered } from '../output-fields.js';

export type RulesJson = Record<string, unknown>;

/** What a list shows of a saved strategy. */
export type StrategySummary = Answered<typeof summaryFields>;

/** A saved strategy with the rules of one version. */
export type ShownStrategy = ValueOf<typeof strategyOutput>;

const exampleRules = {
  long: {
    entry: { left: 'rsi_14', op: '<', right: 30 },
    exit: { left: 'rsi_14', op: '>', right: 60 },
    stopLoss: { percent: 5 },
  },
};

export const strategyId = Joi.string()
  .pattern(strategyIdPattern, 'an id such as "str_" and 20 letters and digits')
  .required()
  .description('id of the strategy')
  .example('str_abcdefghijklmnopqrst');

export const versionNumber = Joi.number().integer().min(1).max(1e9);

const rulesObject = Joi.object<RulesJson>().unknown().required().meta({ component: 'StrategyRules' });

export const rulesInput = rulesObject
  .description('the rules: JSON in the language of /backend/research/check')
  .example(exampleRules);

export const rulesOutput = rulesObject.description('the rules as JSON');

export const hashOutput = text('names the rules: equal rules have equal hashes');

export const summaryFields = {
  id: text('id of the strategy'),
  name: text('name that its user gave it'),
  description: text('what its user wrote about it; empty if nothing').allow(''),
  version: count('the version that is shown'),
  hash: hashOutput,
  updatedAt: date('when the newest version was saved'),
};

export const strategyOutput = answerOf({
  ...summaryFields,
  rules: rulesOutput,
  createdAt: date('when it was saved first'),
  versions: list(
    answerOf({
      version: count('number of the version'),
      hash: hashOutput,
      createdAt: date('when it was saved'),
      shared: flag('whether everyone who knows the hash may read it'),
    }),
    `the oldest first; ${mostStrategyVersions} are kept`,
  ),
});

export const summaryOf = (strategy: SavedStrategy): StrategySummary => {
  const { id, name, description, updatedAt } = strategy;
  const { version, hash } = newestVersion(strategy);
  return { id, name, description, version, hash, updatedAt: updatedAt.toISOString() };
};

/** A strategy with the rules of one of its versions; the newest where none is named. */
export function shownStrategy(strategy: SavedStrategy, named = newestVersion(strategy)): ShownStrategy {
  const { version, hash, rules } = named;
  return {
    ...summaryOf(strategy),
    version,
    hash,
    rules,
    createdAt: strategy.createdAt.toISOString(),
    versions: strategy.versions.map((each) => ({
      version: each.version,
      hash: each.hash,
      createdAt: each.createdAt.toISOString(),
      shared: strategy.shared.includes(each.version),
    })),
  };
}
