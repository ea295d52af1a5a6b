import { paramsOf, type Indicator, type ParamSpec, type PriceColumn } from '../model/indicator.js';
import { indicators } from '../indicators/index.js';
import { fieldError } from '../model/errors.js';
import { didYouMean, nearestNames } from '../model/nearest-names.js';

export type AnyIndicator = Indicator<PriceColumn, string, string>;

const priceFields = ['open', 'high', 'low', 'close', 'volume'] as const;

/** The longest name of a field with all its parameters is shorter than this. */
export const longestFieldName = 100;

/** What a name in a condition means. */
export type ScreenField =
  | { kind: 'price'; column: (typeof priceFields)[number] }
  | { kind: 'change'; candles: number }
  | { kind: 'state' }
  | { kind: 'days_in_state' }
  | { kind: 'indicator'; indicator: AnyIndicator; output: string; params: Record<string, number> };

interface Output {
  indicator: AnyIndicator;
  output: string;
}

const all = indicators as unknown as readonly AnyIndicator[];

const changeCandles: ParamSpec = { min: 1, max: 500, default: 1, title: 'Candles back' };

/** `rsi`, `macd_signal`, and `pdi` for `adx_pdi`, where no other indicator has an output of that name. */
const outputs = new Map<string, Output>(all.flatMap(namesOf));

function namesOf(indicator: AnyIndicator): [name: string, output: Output][] {
  return indicator.outputs.flatMap((output) => {
    const names = [`${indicator.name}_${output}`];
    if (output === indicator.name || indicator.outputs.length === 1) names.push(indicator.name);
    if (isUnique(output)) names.push(output);
    return names.map((name): [string, Output] => [name, { indicator, output }]);
  });
}

function isUnique(output: string): boolean {
  const owners = all.filter((each) => each.outputs.includes(output));
  return owners.length === 1 && !all.some(({ name }) => name === output);
}

/** Every name of a field without its parameters. */
export const screenFieldNames: readonly string[] = [
  ...new Set([...priceFields, 'change', 'state', 'days_in_state', ...outputs.keys()]),
].sort();

const shape = /^([a-z]+(?:_[a-z]+)*)((?:_\d+(?:\.\d+)?)*)$/;

/**
 * Parses the name of a field, ignoring case and surrounding blanks.
 *
 * - `open`, `high`, `low`, `close`, `volume`
 * - `change`: change in percent since the close before; `change_7`: since the close 7 candles before
 * - `state`: the trend state, compared with `=` to accumulate, wait or distribute; `days_in_state`: its age in days
 * - `<indicator>_<output>_<parameters>`, such as `bollinger_upper_20_2`. The output may be omitted where the indicator
 *   has one output, or one of its own name (`rsi_14`, `macd_12_26_9`); the indicator may be omitted where no other has
 *   that output (`pdi_14`). Parameters are in the order of the indicator; omitted ones at the end have their defaults.
 *
 * Throws `invalid_input` with `field`, the path of the name in the request, in its details.
 */
export function parseScreenField(text: string, field: string): ScreenField {
  const name = text.trim().toLowerCase();
  const [, head = '', tail = ''] = shape.exec(name) ?? [];
  const given = tail === '' ? [] : tail.slice(1).split('_').map(Number);
  const price = priceFields.find((column) => column === head);
  if (price) return paramless({ kind: 'price', column: price }, name, given, field);
  if (head === 'state' || head === 'days_in_state') return paramless({ kind: head }, name, given, field);
  if (head === 'change')
    return {
      kind: 'change',
      ...(readParams(name, { candles: changeCandles }, given, field) as { candles: number }),
    };
  const output = outputs.get(head);
  if (!output) throw fieldError(field, explainUnknown(name, head, tail), 'invalid_input', { name });
  return { kind: 'indicator', ...output, params: readParams(name, output.indicator.params, given, field) };
}

function paramless(found: ScreenField, name: string, given: number[], field: string): ScreenField {
  readParams(name, {}, given, field);
  return found;
}

function readParams(
  name: string,
  specs: Readonly<Record<string, ParamSpec>>,
  given: readonly number[],
  field: string,
): Record<string, number> {
  const titles = Object.keys(specs);
  if (given.length > titles.length) {
    const takes = titles.length === 0 ? 'none' : `at most ${titles.length} (${titles.join(', ')})`;
    throw fieldError(field, `"${name}" has too many parameters: it takes ${takes}`, 'invalid_input', {
      name,
    });
  }
  given.forEach((value, n) => {
    const { min, max, step } = specs[titles[n]];
    if (value >= min && value <= max && (step !== undefined || Number.isInteger(value))) return;
    const kind = step === undefined ? 'a whole number' : 'a number';
    throw fieldError(
      field,
      `"${titles[n]}" in "${name}" must be ${kind} from ${min} to ${max}, found ${value}`,
      'invalid_input',
      { name },
    );
  });
  return paramsOf(specs, Object.fromEntries(given.map((value, n) => [titles[n], value])));
}
/** What may stand in a condition; the indicators are too many for a message. */
const allowed =
  'open, high, low, close, volume, change, state, days_in_state, and indicators with their parameters, such as rsi_14';

/** Why a name is unknown, and which name may be meant. */
function explainUnknown(name: string, head: string, tail: string): string {
  const owners = all.filter((each) => each.outputs.includes(head)).map((each) => each.name);
  if (owners.length > 1)
    return `"${head}" is an output of ${owners.join(', ')}: name one, as in "${owners[0]}_${head}${tail}"`;
  const named = all.find((each) => each.name === head);
  if (named)
    return `"${head}" has the outputs ${named.outputs.join(', ')}: name one, as in "${head}_${named.outputs[0]}${tail}"`;
  const [, early, numbers, late] = /^([a-z_]+?)((?:_\d+(?:\.\d+)?)+)_([a-z_]+)$/.exec(name) ?? [];
  if (outputs.has(`${early}_${late}`))
    return `"${name}" has its output behind the parameters: write "${early}_${late}${numbers}"`;
  return `there is no field "${name}"${suggestion(name) || `; the fields are ${allowed}`}`;
}

/** The likely spelling: `rsi_14` for `RSI(14)` or `rsii_14`, but not `close_1` for `close(1)`, which is no field either. */
function suggestion(name: string): string {
  const spelt = (name.match(/[a-z]+|\d+(?:\.\d+)?/g) ?? []).join('_');
  const [, head = '', tail = ''] = shape.exec(spelt) ?? [];
  const near = nearestNames(head, screenFieldNames).map((each) => each + tail);
  return didYouMean(near.filter(isField));
}

function isField(name: string): boolean {
  try {
    parseScreenField(name, '');
    return true;
  } catch {
    return false;
  }
}
