import assert from 'node:assert/strict';
import { readApiSecrets } from '../../../storage/users/api-secrets.js';
import { readSettings } from '../../../storage/process/read-settings.js';

describe('readApiSecrets', () => {
  it('reads secrets with and without a key', () => {
    assert.deepEqual(readApiSecrets('one, ada:two ,ada:th:ree'), [
      { key: null, secret: 'one' },
      { key: 'ada', secret: 'two' },
      { key: 'ada', secret: 'th:ree' },
    ]);
    assert.deepEqual(readApiSecrets(''), []);
  });

  it('throws for an empty secret or key, and for a key that is none', () => {
    for (const text of [',', 'a,', 'a,,b', 'key:', ':secret', 'a b:secret', `${'k'.repeat(65)}:secret`])
      assert.throws(() => readApiSecrets(text), RangeError, text);
  });

  it('are kept from the message about a faulty setting', () => {
    assert.throws(
      () => readSettings({ AI_API_SECRETS: 's3cret,' }, '/'),
      ({ code, message }: { code: string; message: string }) =>
        code === 'invalid_settings' && message.includes('AI_API_SECRETS') && !message.includes('s3cret'),
    );
    for (const AI_TRUSTED_USER_AGENTS of ['a b', 'ChatGPT-User@nowhere'])
      assert.throws(() => readSettings({ AI_TRUSTED_USER_AGENTS }, '/'), { code: 'invalid_settings' });
  });
});
