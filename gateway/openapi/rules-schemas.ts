import type { JsonSchema } from './json-schema.js';

const component = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const ref = (name: string, description: string): JsonSchema => ({ ...component(name), description });

const closed = (
  properties: Record<string, JsonSchema>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', properties, required: [...required], additionalProperties: false });

const column: JsonSchema = {
  type: 'string',
  description: 'close, rsi_14[1] (a candle earlier), ema_50@4h (of a longer interval), volume_sma_20 * 2.5',
};

export const ruleOperator: JsonSchema = {
  type: 'string',
  enum: ['<', '<=', '>', '>=', '=', 'crosses_above', 'crosses_below'],
};

/** The alternatives of a condition, by name: how they refer to conditions and operators is up to the caller. */
export const conditionSchemas = (
  condition: JsonSchema,
  operator: JsonSchema,
): Record<string, JsonSchema> => ({
  RuleComparison: closed({
    left: column,
    op: { ...operator, description: 'how the left side has to stand to the right one' },
    right: {
      anyOf: [column, { type: 'number' }],
      description: 'a column, a number, or the trend state that "state" has',
    },
  }),
  ...Object.fromEntries(
    [
      ['RuleAll', 'all', 'conditions that all have to be true'],
      ['RuleAny', 'any', 'conditions one of which has to be true'],
    ].map(([name, head, description]) => [
      name,
      closed({ [head]: { type: 'array', items: condition, minItems: 1, maxItems: 16, description } }),
    ]),
  ),
  RuleNot: closed({ not: { ...condition, description: 'a condition that has to be false' } }),
});

const number = (description: string) => ref('RuleNumber', description);

const distances = {
  percent: number('percent of the price of the entry'),
  atr: number('multiples of the average true range of the signal candle'),
  period: number('candles of that range; default 14'),
};

const side = closed(
  {
    entry: ref('RuleCondition', 'when to enter, at the next open'),
    exit: ref('RuleCondition', 'when to leave, at the next open'),
    stopLoss: ref('RuleStop', 'where the loss is cut: percent or atr'),
    takeProfit: ref('RuleTarget', 'where the gain is taken: percent, atr or r'),
    trailingStop: ref('RuleTrail', 'a stop behind the best price, moved at closes: percent or atr'),
    maxCandles: number('candles after which the position is closed'),
  },
  ['entry'],
);

const param = closed(
  Object.fromEntries(
    [
      ['default', 'value where none is given'],
      ['min', 'least value'],
      ['max', 'greatest value'],
      ['step', 'distance of the values; default 1'],
    ].map(([name, description]) => [name, { type: 'number', description }]),
  ),
  ['default', 'min', 'max'],
);

/** The language of compute/rules as components of OpenAPI: conditions refer to themselves. */
export const ruleSchemas: Record<string, JsonSchema> = {
  ...conditionSchemas(component('RuleCondition'), component('RuleOperator')),
  RuleCondition: {
    anyOf: ['RuleComparison', 'RuleAll', 'RuleAny', 'RuleNot'].map(component),
  },
  RuleOperator: ruleOperator,
  RuleNumber: { anyOf: [{ type: 'number' }, { type: 'string', description: 'a parameter: {stop}' }] },
  RuleParam: param,
  RuleParams: { type: 'object', additionalProperties: component('RuleParam') },
  RuleSide: side,
  RuleSize: closed(
    {
      percent: number('percent of the account'),
      amount: number('quote units'),
      riskPercent: number('percent of the account that the stop loses'),
      volatilityPercent: number('annual volatility that the position may have'),
      period: number('returns by which volatility is measured; default 30'),
    },
    [],
  ),
  RuleStop: closed(distances, []),
  RuleTarget: closed({ ...distances, r: number('multiples of the distance of stopLoss') }, []),
  RuleTrail: closed({ ...distances, after: number('profit, in the same unit, from which on it holds') }, []),
  StrategyRules: closed(
    {
      params: ref('RuleParams', 'parameters by name, which texts refer to as {name}'),
      long: ref('RuleSide', 'rules of long positions'),
      short: ref('RuleSide', 'rules of short positions'),
      size: ref(
        'RuleSize',
        'how much a position costs: one of percent, amount, riskPercent, volatilityPercent',
      ),
    },
    [],
  ),
  GivenStrategy: {
    anyOf: [
      component('StrategyRules'),
      {
        type: 'string',
        description:
          'str_<id> or str_<id>@<version>, the hash of a shared version, or the name of a template',
      },
    ],
  },
};
