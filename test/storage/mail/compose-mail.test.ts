import assert from 'node:assert/strict';
import { composeMail } from '../../../storage/mail/compose-mail.js';
import { mailKinds } from '../../../storage/mail/mail-kinds.js';

describe('composeMail', () => {
  const paths = { verify: '/verify', reset: '/reset' };

  for (const kind of mailKinds)
    it(`says the same as text and as HTML: ${kind}`, () => {
      const { to, subject, text, html } = composeMail(kind, 'ada@example.com', 'https://a.example', 'TOKEN');
      const link = `https://a.example${paths[kind]}?token=TOKEN`;
      assert.equal(to, 'ada@example.com');
      assert.match(subject, /^[\w -]+ for Tidemark$/);
      const sentences = text.split('\n\n').map((each) => each.trim());
      assert.ok(sentences.includes(link));
      for (const sentence of sentences) assert.ok(html.includes(sentence), sentence);
      assert.ok(html.includes(`<a href="${link}">`));
      // Nothing is loaded, so that opening the mail tells no one.
      assert.doesNotMatch(html, /src=|<link|<style|<script|url\(/);
    });

  it('escapes what could be markup', () => {
    const { html } = composeMail('verify', 'a@example.com', 'https://a.example/?a=1&b="<b>', 'T');
    assert.ok(html.includes('href="https://a.example/?a=1&amp;b=&quot;&lt;b&gt;/verify?token=T"'));
  });
});
