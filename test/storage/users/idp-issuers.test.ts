import assert from 'node:assert/strict';
import { readIssuers } from '../../../storage/users/idp-issuers.js';
import { readSettings } from '../../../storage/process/read-settings.js';

describe('readIssuers', () => {
  it('reads issuers, what they call this service, and where their keys are', () => {
    const text =
      ' https://a.example one, https://b.example/x two https://keys.example/b ,https://a.example three,';
    assert.deepEqual(readIssuers(text), [
      { issuer: 'https://a.example', audiences: ['one', 'three'], jwksUrl: null },
      { issuer: 'https://b.example/x', audiences: ['two'], jwksUrl: 'https://keys.example/b' },
    ]);
    assert.deepEqual(readIssuers(''), []);
  });

  it('takes a plain connection to this machine alone', () => {
    for (const host of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000'])
      assert.equal(readIssuers(`http://${host} one`).length, 1);
    for (const url of [
      'http://a.example',
      'http://127.0.0.1.evil.example',
      'ftp://a.example',
      'file:///etc/x',
    ])
      assert.throws(() => readIssuers(`${url} one`), /not https/, url);
  });

  const wrong = [
    ...[
      'https://a.example',
      'one',
      'not-a-url one',
      'https://a.example one two',
      'https://u:p@a.example one',
    ],
    ...['https://a.example one https://k.example/1 more', 'https://a.example one http://k.example/1'],
    'https://a.example one https://k.example/1, https://a.example two https://k.example/2',
  ];
  for (const text of wrong) {
    it(`refuses "${text}"`, () => {
      assert.throws(() => readIssuers(text));
      assert.throws(() => readSettings({ IDP_ISSUERS: text }, '/'), {
        code: 'invalid_settings',
        message: /^settings: IDP_ISSUERS must be pairs of issuer and audience/,
      });
    });
  }
});
