import type { ChooseRows } from '../answer-template.js';
import { listed } from '../heard/served-values.js';
import type { Token } from '../text/token.js';
import { wordSet } from '../word-list.js';
import {
  extremesNamedIn,
  fieldsNamedIn,
  isSame,
  type AskedExtreme,
  type AskedField,
} from './asked-fields.js';
import { yesOrNoOf } from './yes-or-no.js';
import type { Intent } from '../intent.js';
import type { Slots } from '../slots.js';
import { MeantRows, numberOf } from './meant-rows.js';
import type { OutputField } from './output-fields.js';
import { isSeries, saysField, tellExtreme, tellFields, valuesAt } from './tell-fields.js';

/** Words that ask for a list as a whole. */
const wholes = wordSet('output-fields', 'wholes');
/** Words that compare the rows that they name with the others: "which session moves most: Asia, Europe ...". */
const comparing = wordSet('output-fields', 'comparing');
/** Words that say that a number is one of the rows: "20 candles later". */
const ofRows = wordSet('output-fields', 'ofRows');
const mostOfWhole = 40;
const mostOfNamed = 12;

/** What is known of a question before its answer. */
interface Reading {
  /** The fields of the output of its tool. */
  fields: readonly OutputField[];
  tokens: readonly Token[];
  /** The arguments of the call. */
  args: Readonly<Record<string, unknown>>;
  count?: number | undefined;
  /** The paths of the fields that the previous question asked for, where this one is its follow-up. */
  before?: readonly string[] | undefined;
}

/** What a question asks for by name of the payload of its tool: figures, and rows of its lists. */
export class Asked {
  readonly #all: readonly OutputField[];
  readonly #asked: readonly AskedField[];
  readonly #rows: MeantRows;
  readonly #extremes: readonly AskedExtreme[];
  readonly #tokens: readonly Token[];
  readonly #args: readonly unknown[];
  readonly #count: number | undefined;
  /** As many moments of a series as the call asks for. */
  readonly #length: number | undefined;
  readonly #isWhole: boolean;
  readonly #compares: boolean;
  readonly #none = new Set<string>();

  constructor({ fields, tokens, args, count, before = [] }: Reading) {
    this.#all = fields;
    const given = new Set(
      Object.keys(args).flatMap((name) => [name.replace(/_percent$/, '').replaceAll('_', ' '), `${name}s`]),
    );
    // What the question gives is not what it asks for: "8 folds", "fees of 0.1 %".
    const own = fieldsNamedIn(fields, tokens).filter(({ field }) => !given.has(field.ownName));
    const last = fields
      .filter(({ path }) => before.includes(path.join('.')))
      // Those of one name were in the same words.
      .map((field, _, all) => ({ field, at: [all.findIndex(({ label }) => label === field.label)] }));
    this.#asked = own.length > 0 ? own : last;
    this.#extremes = extremesNamedIn(fields, tokens, own);
    this.#tokens = tokens;
    this.#args = Object.values(args);
    this.#length = [args.limit, args.last].find((each) => typeof each === 'number');
    this.#rows = new MeantRows(tokens);
    this.#count =
      count ??
      this.#asked.flatMap(({ field, at }) =>
        field.kind === 'list' ? (tokens[Math.min(...at) - 1]?.value ?? []) : [],
      )[0];
    this.#isWhole = tokens.some(({ text }) => wholes.has(text));
    this.#compares = tokens.some(({ text }) => comparing.has(text));
  }

  /** For the next question. */
  get paths(): string[] {
    return this.#asked.map(({ field }) => field.path.join('.'));
  }

  /** The places of the words that name a figure, in the tokens of a part of the message; a number before a list counts its rows. */
  placesIn(tokens: readonly Token[]): ReadonlySet<number> {
    const named = fieldsNamedIn(this.#all, tokens);
    return new Set([
      ...named.flatMap(({ field, at }) => {
        const before = Math.min(...at) - 1;
        return field.kind === 'list' && tokens[before]?.kind === 'number' ? [before, ...at] : at;
      }),
      ...extremesNamedIn(this.#all, tokens, named).flatMap(({ at }) => at),
      ...this.#numbersIn(tokens).flatMap(({ places }) => places),
    ]);
  }

  /** The numbers that name rows, such as "20 candles later"; those of the arguments are of the call. */
  #numbersIn(tokens: readonly Token[]) {
    const keys = this.#all.filter(({ kind }) => kind === 'key');
    return keys.flatMap(({ path }) =>
      tokens.flatMap((_, at) => {
        const found = numberOf(tokens, at, path.at(-1)!);
        const isOfRows =
          found && [...found.places, found.places.at(-1)! + 1].some((each) => ofRows.has(tokens[each]?.text));
        return isOfRows && !this.#args.includes(found.value) ? [{ ...found, path }] : [];
      }),
    );
  }

  /** What the question names of rows and none of them has: "30 candles later". */
  missing(payload: object): string[] {
    const notes = this.#numbersIn(this.#tokens).flatMap(({ value, places, path }) => {
      const values = valuesAt(payload, path);
      const known = [...new Set(values)];
      // Where each comes as often as the others it is what rows are given for.
      const isGiven =
        known.length > 1 && known.every((each) => countOf(values, each) === values.length / known.length);
      const said = this.#tokens.slice(places[0], places.at(-1)! + 1).map(({ raw }) => raw);
      return !isGiven || known.includes(value)
        ? []
        : [`"${said.join(' ')}" is not told here, only ${listed(known.map(String))}.`];
    });
    return [...new Set(notes)];
  }

  /** Of a list that is cut the rows that the question means, and as many as it asks for. */
  readonly choose: ChooseRows = (name, rows, most) => {
    const size = Math.abs(most);
    const isNamed = this.#asked.some(({ field }) => field.path.at(-1) === name);
    const isAsked = isNamed || this.#asked.some(({ field }) => field.path.includes(name));
    const more = isNamed ? (this.#isWhole ? mostOfWhole : mostOfNamed) : 0;
    const count = this.#count ?? (isSeries(rows) ? this.#length : undefined) ?? 0;
    const wanted = Math.max(size, Math.min(mostOfWhole, Math.max(more, count)));
    if (rows.length <= size) return { shown: rows, isCut: false };
    const { rows: meant, none } = this.#rows.of(rows, isAsked);
    if (none !== undefined && isAsked) this.#none.add(`none of these ${rows.length} has ${none}`);
    const chosen = meant.length > 0 ? meant : rows;
    // Where another list is asked for the first rows of a long one are of no use.
    const asksOther = this.#asked.some(({ field }) => field.path.includes('*'));
    if (!isAsked && asksOther && chosen.length > size) return { shown: [], isCut: false };
    const shown = most < 0 ? chosen.slice(-wanted) : chosen.slice(0, wanted);
    return { shown, isCut: most > 0 && shown.length < chosen.length };
  };

  /** Yes or no, where the question asks for it and the payload decides it. */
  verdict(conditions: Intent['yes'], payload: object, slots: Slots): string[] {
    return yesOrNoOf(conditions ?? {}, this.#tokens, payload, slots);
  }

  /** Sentences with the figures that the text does not tell yet. */
  tell(payload: object, text: string, templates: readonly string[]): string[] {
    const about = {
      payload,
      fields: this.#all,
      rows: this.#rows,
      count: this.#count,
      isWhole: this.#isWhole || this.#compares,
    };
    const isKnown = ({ field }: AskedField) =>
      saysField(field, { ...about, text }) || isInTemplate(field, templates, this.#isWhole);
    const known = this.#asked.filter(isKnown);
    // Of several figures that the same words may mean one is told.
    const open = this.#asked.filter((each) => !known.some((other) => other === each || isSame(other, each)));
    return [
      ...(this.#none.size > 0 ? [listed([...this.#none])] : []),
      ...this.#extremes.flatMap((each) => tellExtreme(each, about)),
      ...tellFields(
        open.map(({ field }) => field),
        { ...about, text },
      ),
    ];
  }
}

const countOf = (values: readonly unknown[], value: unknown): number =>
  values.filter((each) => each === value).length;

/** Whether a template tells the list, or this figure of its rows. */
function isInTemplate(
  { path, kind, says }: OutputField,
  templates: readonly string[],
  isWhole: boolean,
): boolean {
  const list = path.slice(0, path.lastIndexOf('*')).at(-1);
  const own = path.at(-1)!;
  if (kind === 'list')
    return says === undefined && templates.some((each) => new RegExp(`[<.]${own}[?:]`).test(each));
  if (list === undefined) return false;
  const one = isWhole ? '' : `|\\b${list}\\[[^}]*\\]\\.${own}[|}]`;
  return templates.some((each) => new RegExp(`[<.]${list}[?:].*[{.]${own}[|}]${one}`).test(each));
}
