import type Joi from 'joi';
import { isPlainAsset, readAsset } from '../compute/model/asset-as-written.js';
import { type AppError, fieldError } from '../compute/model/errors.js';
import type { FieldMeaning } from '../compute/model/field.js';
import type { Deps } from './context.js';
import { readInput } from './operation.js';

type MarketDeps = Pick<Deps, 'settings' | 'storage'>;

/** A text of the input that names an asset or a quote currency: where it stands, and how to replace it. */
interface Named {
  field: string;
  text: string;
  replace: (text: string) => void;
}

/**
 * The validated input of an operation, with the assets that it names as the service writes them: every surface reads its input
 * here. A pair where an asset is expected says the quote currency, too. Throws `invalid_input` as `readInput` does, for a text that
 * may mean several assets, and for pairs against different currencies.
 */
export async function understoodInput<Input>(
  schema: Joi.ObjectSchema<Input>,
  given: object,
  deps: MarketDeps,
  convert = false,
): Promise<Input> {
  const input = readInput(schema, given, convert);
  const assets = named(schema, 'asset', input);
  if (assets.every(({ text }) => isPlainAsset(text))) return input;
  const known = (await deps.storage.series.list(deps.settings.MARKET)).filter(
    ({ interval }) => interval === '1h',
  );
  const quotes = new Set<string>();
  for (const { field, text, replace } of assets) {
    const meant = readAsset(text, known);
    // An account may hold what the market does not have.
    if (meant === null) {
      replace(text.trim().toUpperCase());
      continue;
    }
    if ('candidates' in meant) throw ambiguous(field, text, meant.candidates);
    replace(meant.base);
    if (meant.quote !== undefined) quotes.add(meant.quote);
  }
  setQuote(schema, input, given as Record<string, unknown>, [...quotes], assets);
  return input;
}

/** Sets the quote currency that pairs have named. Throws `invalid_input` if it differs from the one that the caller gave. */
function setQuote<Input>(
  schema: Joi.ObjectSchema<Input>,
  input: Input,
  given: Readonly<Record<string, unknown>>,
  quotes: readonly string[],
  [{ field }]: readonly Named[],
): void {
  const [own] = named(schema, 'quote', input);
  if (own && given[own.field] !== undefined && quotes.length > 0)
    quotes = [...new Set([own.text, ...quotes])];
  const [quote] = quotes;
  if (quote === undefined) return;
  if (quotes.length > 1)
    throw invalid(field, `"${field}" must be pairs against one currency, found ${quotes.join(' and ')}`);
  if (own) own.replace(quote);
  else if (quote !== 'USDT')
    throw invalid(field, `"${field}" must be an asset, found a pair against ${quote}`);
}

const ambiguous = (field: string, text: string, candidates: readonly string[]): AppError =>
  invalid(field, `"${field}" "${text}" may mean ${candidates.join(' or ')}: say which`, {
    allowed: candidates.join(', '),
  });

const invalid = (field: string, message: string, details: object = {}): AppError =>
  fieldError(field, message, 'invalid_input', { ...details });

/** The texts with this meaning in an object, in lists and objects inside of it as well. */
function named(schema: Joi.Schema, meaning: FieldMeaning, value: unknown): Named[] {
  const found: Named[] = [];
  const visit = (at: Joi.Schema, holder: Record<string, unknown>, key: string, field: string): void => {
    const each = holder[key];
    if (Array.isArray(each)) {
      const [item] = at.$_terms.items as Joi.Schema[];
      if (item) each.forEach((_, n) => visit(item, each as never, String(n), field));
    } else if (typeof each === 'object' && each !== null) {
      visitFields(at, each as Record<string, unknown>, field);
    } else if (typeof each === 'string' && meansOf(at) === meaning) {
      found.push({ field, text: each, replace: (text) => (holder[key] = text) });
    }
  };
  const visitFields = (at: Joi.Schema, object: Record<string, unknown>, field: string): void => {
    for (const { key, schema: own } of schemaFields(at)) visit(own, object, key, field || key);
    if (meansOf(at) !== meaning) return;
    for (const key of Object.keys(object))
      found.push({
        field,
        text: key,
        replace(text) {
          const moved = object[key];
          delete object[key];
          object[text] = moved;
        },
      });
  };
  visitFields(schema, value as Record<string, unknown>, '');
  return found;
}

const meansOf = ({ $_terms }: Joi.Schema): unknown =>
  (($_terms.metas ?? []) as { means?: unknown }[]).find(({ means }) => means !== undefined)?.means;

/**
 * The fields of an object schema with their schemas; empty for every other schema. It takes no time, while joi's own
 * `describe()` takes milliseconds.
 */
export function schemaFields({ $_terms }: Joi.Schema): { key: string; schema: Joi.Schema }[] {
  return ($_terms.keys as { key: string; schema: Joi.Schema }[] | null | undefined) ?? [];
}
