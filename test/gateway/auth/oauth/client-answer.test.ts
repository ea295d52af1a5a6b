import assert from 'node:assert/strict';
import { formTargets } from '../../../../gateway/auth/oauth/authorize/authorize-endpoint.js';

describe('where the form of consent may lead', () => {
  const targets: [redirectUri: string, sources: string[]][] = [
    ['https://app.example/cb', ['https:']],
    ['http://127.0.0.1:4711/cb', ['http://127.0.0.1:4711', 'https:']],
    ['http://localhost/cb', ['http://localhost', 'https:']],
    // A policy can't name an IPv6 address.
    ['http://[::1]:4711/cb', ['http:', 'https:']],
  ];
  for (const [redirectUri, sources] of targets)
    it(`is the app at ${redirectUri}, and https pages after it`, () => {
      assert.deepEqual(formTargets(redirectUri), sources);
    });
});
