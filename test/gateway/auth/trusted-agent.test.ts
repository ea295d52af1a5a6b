import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { trustedAgentTest } from '../../../gateway/auth/trusted-agent.js';
import { readTrustedAgents } from '../../../storage/users/hosted-clients.js';

const frame = 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ';

const asks = (setting: string, userAgents: string[], address = '192.0.2.7') => {
  const request = { headersDistinct: { 'user-agent': userAgents } } as unknown as IncomingMessage;
  return trustedAgentTest(readTrustedAgents(setting))(request, address);
};
const trusts = (userAgent: string) => asks('ChatGPT-User', [userAgent]);

describe('trustedAgentTest', () => {
  it('takes the name alone, with a version, and as the agent documents it', () => {
    for (const userAgent of [
      'ChatGPT-User',
      'ChatGPT-User/1.0',
      'ChatGPT-User/2',
      `${frame}ChatGPT-User/1.0; +https://openai.com/bot`,
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
    ])
      assert.equal(trusts(userAgent), true, userAgent);
  });

  it('takes nothing that only contains the name, or writes it otherwise', () => {
    for (const userAgent of [
      ...[
        '',
        'chatgpt-user',
        'CHATGPT-USER',
        'ChatGPT-user/1.0',
        'ChatGPT_User',
        'ChatGPT User',
        'ChatGPT-Users',
      ],
      ...[
        'NotChatGPT-User',
        'ChatGPT-User-Evil',
        'x ChatGPT-User',
        'ChatGPT-User x',
        'ChatGPT-User/1.0 curl/8',
      ],
      ...[
        'curl/8 (ChatGPT-User)',
        'ChatGPT-User;',
        'ChatGPT-User/',
        'ChatGPT-User/x',
        'ChatGPT-User/1.',
        '/1.0',
      ],
      ...[
        'ChatGPT-User/1.0\n',
        ' ChatGPT-User',
        'ChatGPT-User\0',
        'ChatGPT-User, ChatGPT-User',
        'ChatGPT-Usеr',
      ],
      `${frame}ChatGPT-User/1.0; +https://openai.com/bot evil`,
      `${frame}ChatGPT-User/1.0; +http://openai.com/bot`,
      `${frame}Evil; ChatGPT-User/1.0; +https://openai.com/bot`,
      `evil ${frame}ChatGPT-User/1.0`,
      'ChatGPT-User'.padEnd(10_000, ' '),
      `ChatGPT-User/${'1'.repeat(10_000)}`,
      'ChatGPT-User/1.0;'.repeat(600),
    ])
      assert.equal(trusts(userAgent), false, userAgent.slice(0, 80));
  });

  it('takes no request that names two agents, or none', () => {
    assert.equal(asks('ChatGPT-User', []), false);
    assert.equal(asks('ChatGPT-User', ['ChatGPT-User', 'ChatGPT-User']), false);
    assert.equal(asks('ChatGPT-User', ['ChatGPT-User', 'curl/8']), false);
  });

  it('takes an agent that is narrowed to ranges only from there', () => {
    const setting = 'One, ChatGPT-User@203.0.113.0/24+2001:db8::/32+192.0.2.9';
    for (const [address, expected] of [
      ['203.0.113.0', true],
      ['203.0.113.255', true],
      ['203.0.114.0', false],
      ['192.0.2.9', true],
      ['192.0.2.10', false],
      ['2001:db8:ffff::1', true],
      ['2001:db9::1', false],
      ['', false],
      ['unknown', false],
    ] as const)
      assert.equal(asks(setting, ['ChatGPT-User/1.0'], address), expected, address);
    assert.equal(asks(setting, ['One'], '198.51.100.1'), true);
    assert.equal(asks(setting, ['Two'], '203.0.113.1'), false);
  });

  it('takes nobody where the setting is none', () => {
    assert.equal(asks('none', ['ChatGPT-User']), false);
    assert.equal(asks('none', ['none']), false);
  });
});

describe('readTrustedAgents', () => {
  it('throws for what it cannot understand', () => {
    for (const text of [
      ...[
        '',
        ',',
        'a,',
        'a b',
        'a@',
        'a@x',
        'a@1.2.3.4/33',
        'a@1.2.3.4/',
        'a@1.2.3.4/-1',
        'a@1.2.3.4/8/8',
        'a@::/129',
      ],
      ...[
        'a@1.2.3.0/24@::1',
        '@1.2.3.4',
        'a@1.2.3.4+',
        'a@1.2.3.4/ 8',
        'a/1.0',
        'none,none@x',
        '.*',
        '(a+)+',
      ],
    ])
      assert.throws(() => readTrustedAgents(text), RangeError, text);
  });
});
