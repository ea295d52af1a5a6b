import type { RoutePayload } from '../../client/routes.js';

type ListedIndicators = RoutePayload<'GET /backend/analysis/list-indicators'>['indicators'];

/** What a condition can compare, by the name that it begins with. */
export interface RuleColumnKind {
  base: string;
  title: string;
  group: string;
  params: readonly { name: string; title: string; min: number; max: number; default: number; step: number }[];
}

const candles = { name: 'candles', title: 'Candles back', min: 1, max: 500, default: 7, step: 1 };

const plain: readonly RuleColumnKind[] = [
  { base: 'close', title: 'Price (close)', group: 'Candle', params: [] },
  { base: 'open', title: 'Open', group: 'Candle', params: [] },
  { base: 'high', title: 'High', group: 'Candle', params: [] },
  { base: 'low', title: 'Low', group: 'Candle', params: [] },
  { base: 'volume', title: 'Volume', group: 'Candle', params: [] },
  { base: 'change', title: 'Change in percent', group: 'Candle', params: [candles] },
  { base: 'state', title: 'State of the trend', group: 'Trend', params: [] },
  { base: 'days_in_state', title: 'Days in this state', group: 'Trend', params: [] },
];

/** Everything that a condition can compare, from what the service says of its indicators. */
export const columnKinds = (indicators: ListedIndicators): readonly RuleColumnKind[] => [
  ...plain,
  ...indicators.flatMap(({ name, title, kind, outputs, params }) =>
    outputs.map((output) => ({
      base: outputs.length === 1 || output === name ? name : `${name}_${output}`,
      title: outputs.length === 1 ? title : `${title}: ${output}`,
      group: kind.charAt(0).toUpperCase() + kind.slice(1),
      params,
    })),
  ),
];

/** A column as parts: what it is, and its parameters. Null for one with more, such as `close@1d[3]`. */
export function columnParts(text: string, kinds: readonly RuleColumnKind[]) {
  const [, base = '', tail = ''] = /^([a-z_]*[a-z])((?:_\d+(?:\.\d+)?)*)$/.exec(text.trim()) ?? [];
  const kind = kinds.find((each) => each.base === base);
  if (!kind) return null;
  const given = tail === '' ? [] : tail.slice(1).split('_').map(Number);
  return { kind, values: kind.params.map((param, n) => given[n] ?? param.default) };
}

export const columnText = ({ base }: RuleColumnKind, values: readonly number[]): string =>
  [base, ...values].join('_');

/** A column as it is first chosen. */
export const usualColumn = (kind: RuleColumnKind): string =>
  columnText(
    kind,
    kind.params.map((param) => param.default),
  );
