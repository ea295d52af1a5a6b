import assert from 'node:assert/strict';
import { readMailSender } from '../../../storage/mail/read-mail-sender.js';
import { readSmtpUrl } from '../../../storage/mail/smtp-url.js';

describe('SMTP_URL', () => {
  it('is a server with or without a user', () => {
    assert.deepEqual(readSmtpUrl('smtps://ada:p%40ss@mail.example.com'), {
      ...{ host: 'mail.example.com', port: 465, secure: true, requireTLS: false },
      auth: { user: 'ada', pass: 'p@ss' },
    });
    assert.deepEqual(readSmtpUrl('smtp://mail.example.com:2525'), {
      ...{ host: 'mail.example.com', port: 2525, secure: false, requireTLS: true },
    });
  });

  it('needs STARTTLS, except on the own machine and where it is switched off', () => {
    const needsTls = ['smtp://a.example', 'smtp://10.0.0.1', 'smtp://localhost.example'];
    const needsNone = ['smtp://localhost', 'smtp://127.0.0.1:25', 'smtp://[::1]', 'smtp://a.example?tls=off'];
    for (const url of needsTls) assert.equal(readSmtpUrl(url).requireTLS, true, url);
    for (const url of needsNone) assert.equal(readSmtpUrl(url).requireTLS, false, url);
    assert.equal(readSmtpUrl('smtp://[::1]').host, '::1');
  });

  it('is nothing else, and a refusal does not repeat it', () => {
    for (const text of [
      'mail.example.com',
      'https://u:hidden@mail.example.com',
      'smtp://',
      'smtp://u:hidden@mail.example.com/path',
      'smtp://u:hidden@mail.example.com?ignoreTLS=true',
      'smtps://u:hidden@mail.example.com?tls=off',
      'smtp://u:hidden@mail.example.com#x',
      'smtp://u:hidden%zz@mail.example.com',
      'smtp://hidden@mail.example.com',
      'smtp://:hidden@mail.example.com',
    ])
      assert.throws(
        () => readSmtpUrl(text),
        (error) => error instanceof RangeError && !error.message.includes('hidden'),
        text,
      );
  });
});

describe('MAIL_FROM', () => {
  it('is an address, with a name or without', () => {
    const senders: [text: string, name: string, address: string][] = [
      ['no-reply@example.com', '', 'no-reply@example.com'],
      ['Tidemark <no-reply@example.com>', 'Tidemark', 'no-reply@example.com'],
      ['<a@example.com>', '', 'a@example.com'],
      ['Tidemark: alerts (EU), Inc. <a@example.com>', 'Tidemark: alerts (EU), Inc.', 'a@example.com'],
    ];
    for (const [text, name, address] of senders) assert.deepEqual(readMailSender(text), { name, address });
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'Tidemark',
      'a@example.com, b@example.com',
      'Tidemark <a@example.com> b',
      'a@example.com>',
      'Tide\r\nBcc: x <a@example.com>',
      'Tidemark <>',
    ])
      assert.throws(() => readMailSender(text), RangeError, text);
  });
});
