import assert from 'node:assert/strict';
import { ownPath } from '../../../../gateway/web/site/own-path.js';

describe('ownPath', () => {
  it('keeps paths of this service with their query', () => {
    for (const path of [
      '/',
      '/docs',
      '/account/tokens?done=made',
      '/authorize?redirect_uri=https%3A%2F%2Fa.example&x=//b',
    ])
      assert.equal(ownPath(path), path);
  });

  it('takes the fragment away, and dot segments as a browser does', () => {
    assert.equal(ownPath('/docs#sessions'), '/docs');
    assert.equal(ownPath('/a/../docs'), '/docs');
  });

  const foreign = [
    ...[
      '',
      'docs',
      'https://evil.example',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\/evil.example',
    ],
    ...[
      '/\t/evil.example',
      '/\n/evil.example',
      ' /docs',
      '/docs\r\nSet-Cookie: a=b',
      '/%0a'.replace('%0a', '\n'),
    ],
    ...[
      'javascript:alert(1)',
      '/a/..//evil.example',
      '/.//evil.example',
      '/docs\\..\\evil',
      '/dócs',
      `/${'a'.repeat(4_000)}`,
    ],
  ];
  for (const text of foreign)
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(ownPath(text), null);
    });
});
