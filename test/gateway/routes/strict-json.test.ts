import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseStrictJson } from '../../../gateway/routes/strict-json.js';
import { AppError } from '../../../compute/model/errors.js';
import { assertLinear } from '../../support/process/assert-linear.js';

const refusal = (text: string): string => {
  try {
    parseStrictJson(text);
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.match(error.code, /^invalid_(body|input)$/);
    return error.message;
  }
  return 'taken';
};

/** JSON values of at most ten levels whose numbers a double holds and whose texts are well-formed. */
const plainValue = fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' });
const space = fc.constantFrom('', ' ', '\n', '\t ', '\r\n');

/** The value as JSON with white space wherever it may stand, every character of texts escaped where asked for. */
function spaced(value: unknown, gap: string, escape: boolean): string {
  const text = (each: string) =>
    escape
      ? `"${Array.from({ length: each.length }, (_, i) => `\\u${each.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(each);
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value))
    return `[${gap}${value.map((each) => spaced(each, gap, escape)).join(`${gap},${gap}`)}${gap}]`;
  if (typeof value === 'object' && value !== null)
    return `{${gap}${Object.entries(value)
      .map(([name, each]) => `${text(name)}${gap}:${gap}${spaced(each, gap, escape)}`)
      .join(`${gap},${gap}`)}${gap}}`;
  return JSON.stringify(value);
}

const hasPrototypeKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey));

describe('parseStrictJson', () => {
  it('reads JSON as JSON.parse does', () => {
    fc.assert(
      fc.property(plainValue, space, fc.boolean(), (value, gap, escape) => {
        fc.pre(!hasPrototypeKey(value));
        const text = `${gap}${spaced(value, gap, escape)}${gap}`;
        assert.deepEqual(parseStrictJson(text), JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses whatever JSON.parse refuses, and never fails in another way', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      '"a"',
      '1',
      '-',
      'e5',
      'true',
      ' ',
      '\\u',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
        (text) => {
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          if (!valid) assert.notEqual(refusal(text), 'taken', text);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('refuses a key that stands twice, at any depth, however it is written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('array', 'object'), { maxLength: 20 }),
        fc.string({ unit: 'grapheme', maxLength: 5 }),
        fc.boolean(),
        (levels, name, escape) => {
          fc.pre(name !== '__proto__');
          const key = spaced(name, '', escape);
          const twice = `{${JSON.stringify(name)}:1,${JSON.stringify(`other ${name}`)}:"{",${key} : 2}`;
          const text = levels.reduce(
            (inner, kind) => (kind === 'array' ? `["x",${inner}]` : `{"x":${inner}}`),
            twice,
          );
          assert.match(refusal(text), /holds the key ".*" twice$/s);
        },
      ),
    );
  });

  it('takes the same key in objects side by side, and as a value', () => {
    const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":2}],"c":"a"}';
    assert.deepEqual(parseStrictJson(text), JSON.parse(text));
  });

  for (const [what, text, message] of [
    ['__proto__', '{"x":[{"__proto__":1}]}', /^key "__proto__" is not allowed$/],
    ['__proto__ in escapes', '{"__\\u0070roto__":1}', /^key "__proto__" is not allowed$/],
    ['half a pair in a value', '{"a":["\\ud800"]}', /half a surrogate pair/],
    ['the other half in a key', '{"\\uDC00x":1}', /half a surrogate pair/],
    ['halves in the wrong order', '["\\udc00\\ud800"]', /half a surrogate pair/],
    ['1e400', '{"a":1e400}', /^"a" holds the number 1e400, beyond what a double holds$/],
    ['-1E+309', '[-1E+309]', /beyond what a double holds/],
    ['1e-400', '[1e-400]', /beyond what a double holds/],
    ['1e999 in rules', '{"a":{"all":[{"b":[1]},{"c":"x","d":1e999}]}}', /^"a\.all\[1\]\.d" holds the number/],
    ['1e999 below a key of the caller', '{"a":{"x y":[1e999]}}', /^"a" holds the number/],
    ['2 ** 53 + 1', '[9007199254740993]', /more digits than a double holds/],
    ['33 levels', '['.repeat(33), /more than 32 levels$/],
    ['a comment', '{}//', /not JSON/],
    ['a byte order mark', '\ufeff{}', /not JSON/],
  ] as const)
    it(`refuses ${what}`, () => assert.match(refusal(text), message));

  for (const [text, fault] of [
    ['{"a":tru}', ": Unexpected token '}'"],
    ['{"a":tru"hunter2"}', ': Unexpected string in JSON at position 8'],
    ['{"password":tru,"hunter2"}', ": Unexpected token ','"],
    ['[1,,"hunter2 is of many characters"]', ": Unexpected token ','"],
    ['["hunter2", ..."hunter2 is of many characters"]', ": Unexpected token '.'"],
    ['{"long":"hunter2 is of many characters","hunter2":x}', ": Unexpected token 'x'"],
    ['undefined', ''],
    ['', ': Unexpected end of JSON input'],
  ])
    it(`says what is wrong with ${text || 'nothing'} without quoting it`, () =>
      assert.equal(refusal(text), `the body is not JSON${fault}`));

  it('takes what lies at the edge', () => {
    for (const text of [
      '0e5',
      '-0',
      '0.0e-400',
      '1e308',
      '5e-324',
      '9007199254740991',
      '"\\ud83d\\ude00"',
      '0.1',
    ])
      assert.deepEqual(parseStrictJson(text), JSON.parse(text));
    const deep = `${'['.repeat(32)}${']'.repeat(32)}`;
    assert.deepEqual(parseStrictJson(deep), JSON.parse(deep));
  });

  for (const [what, textOf] of Object.entries<(length: number) => string>({
    levels: (length) => '{"a":'.repeat(length / 5),
    keys: (length) => `{${Array.from({ length: length / 9 }, (_, n) => `"${n}":1`).join()}}`,
    backslashes: (length) => `["${'\\\\'.repeat(length / 2)}"]`,
    quotes: (length) => '"'.repeat(length),
    'one key after the other': (length) => '"a":'.repeat(length / 4),
    letters: (length) => 'a'.repeat(length),
    'a number': (length) => '1'.repeat(length),
    'spaces before a colon': (length) => `{"a"${' '.repeat(length)}:1}`,
    'texts with spaces': (length) => `[${'"a"  ,'.repeat(length / 6)}1]`,
  }))
    it(`takes time in proportion to 64 KiB of ${what}`, () => assertLinear(what, textOf, refusal));
});
