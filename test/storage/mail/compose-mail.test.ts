import assert from 'node:assert/strict';
import { composeMail } from '../../../storage/mail/compose-mail.js';
import { isLinkKind, mailKinds } from '../../../storage/mail/mail-kinds.js';

describe('composeMail', () => {
  const links = {
    verify: '/verify?token=TOKEN',
    reset: '/reset?token=TOKEN',
    changed: '/forgot',
    key: '/account/exchanges',
    liquidated: '/account/exchanges',
    settled: '/account/exchanges',
    known: '/sign-in',
    cancelled: '/account/exchanges',
    oversold: '/account/exchanges',
    unserved: '/account/exchanges',
    displaced: '/account/exchanges',
    churn: '/operator',
  };
  const at = new Date('2026-11-22T19:45:30Z');

  for (const kind of mailKinds)
    it(`says the same as text and as HTML: ${kind}`, () => {
      const { to, subject, text, html } = composeMail(kind, {
        to: 'ada@example.com',
        serviceUrl: 'https://a.example',
        token: isLinkKind(kind) ? 'TOKEN' : null,
        at,
      });
      const link = `https://a.example${links[kind]}`;
      assert.equal(to, 'ada@example.com');
      assert.match(subject, /^[\w -]+ for Tidemark$/);
      const sentences = text.split('\n\n').map((each) => each.trim());
      assert.ok(sentences.includes(link));
      for (const sentence of sentences) assert.ok(html.includes(sentence), sentence);
      assert.ok(html.includes(`<a href="${link}">`));
      // Nothing is loaded, so that opening the mail tells no one.
      assert.doesNotMatch(html, /src=|<link|<style|<script|url\(/);
    });

  it('tells of a changed password with its time and what to do', () => {
    const facts = { to: 'ada@example.com', serviceUrl: 'https://a.example', token: null, at };
    const { subject, text } = composeMail('changed', facts);
    assert.equal(subject, 'A new password is set for Tidemark');
    assert.match(text, /was changed on 2026-11-22 at 19:45 UTC\. All other sessions have ended/);
    assert.match(text, /If you did not, choose another password at once:\n\nhttps:\/\/a\.example\/forgot\n/);
    assert.match(
      text,
      /Keys of exchanges and subscriptions go on working until you remove them, and personal access tokens/,
    );
  });

  it('escapes what could be markup', () => {
    const { html } = composeMail('verify', {
      to: 'a@example.com',
      serviceUrl: 'https://a.example/?a=1&b="<b>',
      token: 'T',
      at,
    });
    assert.ok(html.includes('href="https://a.example/?a=1&amp;b=&quot;&lt;b&gt;/verify?token=T"'));
  });
});
