import type { Schema } from 'joi';
import { jsonSchemaOf, type JsonSchema } from '../openapi/json-schema.js';
import { conditionSchemas, ruleOperator } from '../openapi/rules-schemas.js';
import { snakeCaseSchema } from './key-case.js';

const condition: JsonSchema = {
  anyOf: Object.values(conditionSchemas({ $ref: '#/$defs/condition' }, ruleOperator)),
};

const examples = [
  {
    params: { fast: { default: 20, min: 5, max: 50, step: 5 } },
    long: {
      entry: {
        all: [
          { left: 'ema_{fast}', op: 'crosses_above', right: 'ema_50' },
          { left: 'volume', op: '>', right: 'volume_sma_20 * 1.5' },
        ],
      },
      exit: { left: 'ema_{fast}', op: 'crosses_below', right: 'ema_50' },
      stopLoss: { atr: 2 },
      takeProfit: { r: 3 },
    },
    size: { riskPercent: 1 },
  },
  {
    long: { entry: { left: 'rsi_14', op: '<', right: 30 }, exit: { left: 'rsi_14', op: '>', right: 55 } },
    short: {
      entry: { left: 'state', op: '=', right: 'distribute' },
      trailingStop: { percent: 5, after: 3 },
      maxCandles: 48,
    },
  },
];

const sideText =
  'entry (a condition; required), exit (a condition), stopLoss {percent | atr, period}, takeProfit {percent | atr, period | r}, trailingStop {percent | atr, period, after}, maxCandles';

const side: JsonSchema = {
  type: 'object',
  description: sideText,
  properties: { entry: { $ref: '#/$defs/condition' }, exit: { $ref: '#/$defs/condition' } },
  required: ['entry'],
};

const rules: JsonSchema = {
  type: 'object',
  properties: {
    params: { type: 'object', description: 'name: {default, min, max, step}; used as {name} in texts' },
    long: side,
    short: side,
    size: {
      type: 'object',
      description: 'one of percent, amount, riskPercent, volatilityPercent with period',
    },
  },
  additionalProperties: false,
};

const named = {
  type: 'string',
  description:
    'str_<id> or str_<id>@<version> of a saved strategy, a shared hash, or a template such as ema_cross',
};

/** The arguments of a tool that takes rules: conditions refer to themselves, and there are two whole examples. */
export function rulesSchema(input: Schema): JsonSchema {
  const schema = snakeCaseSchema(jsonSchemaOf(input));
  // Where nothing has to be saved, a strategy may also be named.
  const isRulesOnly = schema.properties?.strategy.type === 'object';
  const strategy = {
    description: isRulesOnly ? 'the rules' : 'rules, or the name of a strategy',
    ...(isRulesOnly ? rules : { anyOf: [rules, named] }),
    examples,
  };
  return { ...schema, properties: { ...schema.properties, strategy }, $defs: { condition } };
}

/**
 * The schema by which the arguments of a tool are checked: whatever refers to definitions is a language of its own, whose faults the
 * operation names by their path, and whose keys are data.
 */
export function withoutRules({ $defs, ...schema }: JsonSchema): JsonSchema {
  if ($defs === undefined) return schema;
  const checked = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [name, JSON.stringify(each).includes('"$ref"') ? {} : each] as const,
  );
  return { ...schema, properties: Object.fromEntries(checked) };
}
