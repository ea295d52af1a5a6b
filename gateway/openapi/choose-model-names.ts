import { chosenNames, fieldName } from './model-names.js';

/** Where a schema stands in the document. */
export interface ModelPlace {
  /** The operation without its method, and how its fields are reached: `<` in its body, `?` in its query, empty in its answer. */
  root: string;
  /** What names of models of this root begin with, as in `Backtest`. */
  stem: string;
  /** The fields on the way, each with `[]` for the items of a list. */
  path: readonly string[];
  /** A name of its own, not made of its path: bodies, answers and alternatives have one. */
  own?: string;
  /** The places of fields that are not named by their path. */
  fields?: Readonly<Record<string, ModelPlace>>;
}

/** A name for every model: the one chosen for it, its own, or one made of its places. */
export function chooseModelNames(places: ReadonlyMap<string, readonly ModelPlace[]>): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const ranked = [...places].sort(([, a], [, b]) => rankOf(a) - rankOf(b));
  for (const [key, at] of ranked) {
    const name = candidates(at).find((each) => !taken.has(each));
    if (name === undefined) throw new Error(`no free name for the model at ${placeName(at[0])}`);
    taken.add(name);
    names.set(key, name);
  }
  return names;
}

/** Models of a lower rank take their names first. Those of request bodies come last, so that answers have the shorter names. */
function rankOf(places: readonly ModelPlace[]): number {
  const [{ own, root }] = places;
  if (chosen(places) !== undefined) return 0;
  if (own !== undefined) return 1;
  if (stems(places).size > 1) return 2;
  return root.endsWith('<') ? 4 : 3;
}

const stems = (places: readonly ModelPlace[]): Set<string> => new Set(places.map(({ stem }) => stem));

const placeName = ({ root, path }: ModelPlace): string =>
  /[?]$/.test(root) ? `${root}${path.join('.')}` : `${root}.${path.join('.')}`;

const chosen = (places: readonly ModelPlace[]): string | undefined =>
  places.find(({ own }) => own !== undefined) === undefined
    ? places.map((place) => chosenNames[placeName(place)]).find((name) => name !== undefined)
    : undefined;

/** The names a model can have, the preferred first; names made of its path from the shortest to the longest. */
function candidates(places: readonly ModelPlace[]): string[] {
  const [{ own, stem, path }] = places;
  const name = chosen(places);
  if (name !== undefined) return [name];
  const fields = path.map(fieldName);
  const longer = fields.map((_, n) => joined(stem, fields.slice(fields.length - 1 - n).join('')));
  if (own !== undefined) return [own, stem + own];
  const whole = stem + fields.join('');
  return [...(stems(places).size > 1 ? [fields.at(-1)!] : []), ...longer, whole, `${whole}Input`];
}

/** The stem and the field; a field that begins with the stem stands alone: `Session` and `SessionId` are `SessionId`. */
const joined = (stem: string, field: string): string => (field.startsWith(stem) ? field : stem + field);
