import assert from 'node:assert/strict';
import type { ParameterizedContext } from 'koa';
import { checkSameOrigin } from '../../../../gateway/web/site/same-origin.js';

describe('checkSameOrigin', () => {
  const check = (publicUrl: string, host: string, sent: Record<string, string[]>) => () =>
    checkSameOrigin(
      { req: { headers: { host }, headersDistinct: sent } } as unknown as ParameterizedContext,
      { PUBLIC_URL: publicUrl },
    );
  const refusal = { code: 'forbidden' };

  it('leaves a hidden origin to the token of the form only where browsers do not tell the site', () => {
    const hidden = { origin: ['null'] };
    // Over http from another machine browsers send no Sec-Fetch-Site.
    assert.doesNotThrow(check('', '192.168.1.5:3000', hidden));
    assert.doesNotThrow(check('http://tidemark.local', 'tidemark.local', hidden));
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      assert.throws(check('', host, hidden), refusal, host);
    assert.throws(check('https://tidemark.example', 'tidemark.example', hidden), refusal);
  });

  it('takes the origin of PUBLIC_URL, else that of the Host', () => {
    assert.doesNotThrow(check('https://a.example/', 'inside:3000', { origin: ['https://a.example'] }));
    assert.throws(check('https://a.example/', 'inside:3000', { origin: ['http://inside:3000'] }), refusal);
    assert.doesNotThrow(check('', 'Inside:3000', { origin: ['http://inside:3000'] }));
    assert.throws(check('', 'inside:3000', { origin: ['https://inside:3000'] }), refusal);
  });

  it('refuses headers that come twice', () => {
    const own = 'http://inside:3000';
    assert.throws(check('', 'inside:3000', { origin: [own, own] }), refusal);
    const sites = ['same-origin', 'same-origin'];
    assert.throws(check('', 'inside:3000', { origin: [own], 'sec-fetch-site': sites }), refusal);
  });
});
