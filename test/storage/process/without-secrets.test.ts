import assert from 'node:assert/strict';
import { dataWithoutSecrets, textWithoutSecrets } from '../../../storage/process/without-secrets.js';
import { assertLinear } from '../../support/process/assert-linear.js';

describe('textWithoutSecrets', () => {
  const cases: [text: string, safe: string][] = [
    ['mongodb://ada:geheim@host:1/db does not answer', 'mongodb://[redacted]@host:1/db does not answer'],
    ['{"password": "geheim", "n": 1}', '{"password": "[redacted]", "n": 1}'],
    ['apiKey=geheim&x=1', 'apiKey=[redacted]'],
    ['session-token: geheim', 'session-token: [redacted]'],
    ['Authorization: Bearer geheim', 'Authorization: [redacted]'],
    ['Authorization: Basic YWRhOmdlaGVpbQ==, Accept: x', 'Authorization: [redacted], Accept: x'],
    ['{"password":"two words, and a comma","n":1}', '{"password":"[redacted]","n":1}'],
    ['{ secret: \'it is "quoted"; so\' }', "{ secret: '[redacted]' }"],
    ['"{\\"apiKey\\":\\"two words\\",\\"n\\":1}"', '"{\\"apiKey\\":\\"[redacted]\\",\\"n\\":1}"'],
    ['a basic backtest', 'a basic backtest'],
    [`made pat_${'0a'.repeat(32)}!`, 'made [redacted]!'],
    [`code oac_${'a-_'.repeat(14)}Z, oat_${'b'.repeat(43)}`, 'code [redacted], [redacted]'],
    [`ort_${'c'.repeat(43)}`, '[redacted]'],
    ['no 4h candles of "BTC/USDT" are stored', 'no 4h candles of "BTC/USDT" are stored'],
    ['at run (file:///app/jobs/pool.js:12:3)', 'at run (file:///app/jobs/pool.js:12:3)'],
  ];
  for (const [text, safe] of cases)
    it(`turns ${text} into ${safe}`, () => assert.equal(textWithoutSecrets(text), safe));

  it('takes time in proportion to the length of a text of whatever kind', () => {
    for (const part of [' ', '/', '//', 'token ', 'token:"', "token:'a", 'a', '@', 'bearer  '])
      assertLinear(JSON.stringify(part), (length) => part.repeat(length / part.length), textWithoutSecrets);
  });
});

describe('dataWithoutSecrets', () => {
  it('leaves what a job asks for as it is', () => {
    const data = { key: { market: 'demo', base: 'BTC' }, digest: 'a1', params: [1, null, 'x'] };
    assert.deepEqual(dataWithoutSecrets(data), { data, changed: false });
  });

  it('hides secrets by their name, however deep, and in texts', () => {
    const data = { a: [{ apiKey: 'geheim', api_secret: { x: 'geheim' } }], url: 'redis://:geheim@h', b: 1 };
    assert.deepEqual(dataWithoutSecrets(data), {
      data: { a: [{ apiKey: '[redacted]', api_secret: '[redacted]' }], url: 'redis://[redacted]@h', b: 1 },
      changed: true,
    });
  });
});
