import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { composeMail } from '../../../storage/mail/compose-mail.js';
import { openMailTransport } from '../../../storage/mail/open-mail-transport.js';
import { emailAddress } from '../../../storage/users/email.js';
import { openSmtpServer, type TestSmtpServer } from '../../support/servers/smtp-server.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

const token = 'T'.repeat(43);
const mailTo = (to: string) =>
  composeMail('reset', { to, serviceUrl: 'https://tidemark.example', token, at: new Date(0) });
const link = `https://tidemark.example/reset?token=${token}`;
const from = 'Tidemark <no-reply@tidemark.example>';

/** Headers by name, each as often as it is there. */
function headersOf(data: string): Record<string, string[]> {
  const [head] = data.split(/\r?\n\r?\n/);
  const found: Record<string, string[]> = {};
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [name, ...value] = line.split(': ');
    (found[name.toLowerCase()] ??= []).push(value.join(': '));
  }
  return found;
}

describe('mails', () => {
  const folder = temporaryFolder();
  let lines: object[];
  const log = { info: (line: object) => void lines.push(line) };
  beforeEach(() => void (lines = []));
  const files = (DATA_DIR: string) =>
    openMailTransport({ SMTP_URL: '', MAIL_FROM: from, DATA_DIR }, log as never);

  describe('without SMTP_URL', () => {
    it('are files that only this user can read; the log names the file and not the link', async () => {
      const at = join(folder.path, 'mail');
      await mkdir(at);
      await chmod(at, 0o755);
      await files(folder.path).send(mailTo('ada@example.com'));
      const [name] = await readdir(at);
      const file = join(at, name);
      assert.deepEqual([(await stat(at)).mode & 0o777, (await stat(file)).mode & 0o777], [0o700, 0o600]);
      const text = await readFile(file, 'utf8');
      assert.ok(text.includes(link), text);
      assert.deepEqual(text.split('\n').slice(0, 4), [
        `From: ${from}`,
        'To: ada@example.com',
        'Subject: Choose a new password for Tidemark',
        '',
      ]);
      assert.deepEqual(lines, [{ file }]);
    });

    it('are the newest 200', async () => {
      const at = join(folder.path, 'mail');
      await mkdir(at);
      for (let n = 0; n < 230; n++)
        await writeFile(join(at, `2020-01-01T00-00-00-${String(n).padStart(3, '0')}Z-abcd1234.txt`), '');
      await writeFile(join(at, 'notes.txt'), 'of the operator');
      await files(folder.path).send(mailTo('ada@example.com'));
      const names = (await readdir(at)).sort();
      assert.equal(names.length, 201);
      assert.deepEqual([names[0], names.at(-1)], ['2020-01-01T00-00-00-031Z-abcd1234.txt', 'notes.txt']);
    });
  });

  describe('with SMTP_URL', () => {
    let smtp: TestSmtpServer;
    beforeEach(async () => void (smtp = await openSmtpServer()));
    afterEach(() => smtp.close());
    const server = (host = '127.0.0.1', more = '') =>
      openMailTransport(
        { SMTP_URL: `smtp://${host}:${smtp.port}${more}`, MAIL_FROM: from, DATA_DIR: folder.path },
        log as never,
      );

    it('go to the server, as text and as HTML', async () => {
      await server().send(mailTo('ada@example.com'));
      const [mail] = smtp.mails;
      assert.deepEqual([mail.from, mail.recipients], ['no-reply@tidemark.example', ['ada@example.com']]);
      const {
        'content-type': [type],
      } = headersOf(mail.data);
      assert.match(type, /^multipart\/alternative/);
      assert.match(mail.data, /text\/plain[^]*text\/html/);
      assert.deepEqual([await readdir(folder.path), lines], [[], []]);
    });

    it('name their sender, whatever signs are in the name', async () => {
      const sender = 'Tidemark: alerts (EU), Inc. <no-reply@tidemark.example>';
      const settings = {
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        MAIL_FROM: sender,
        DATA_DIR: folder.path,
      };
      await openMailTransport(settings, log as never).send(mailTo('ada@example.com'));
      const [mail] = smtp.mails;
      assert.equal(mail.from, 'no-reply@tidemark.example');
      assert.deepEqual(headersOf(mail.data).from, [
        '"Tidemark: alerts (EU), Inc." <no-reply@tidemark.example>',
      ]);
    });

    it('go out in clear text only to the own machine, or where that is set', async () => {
      await server('localhost').send(mailTo('ada@example.com'));
      await smtp.close();
      smtp = await openSmtpServer('127.0.0.2');
      await assert.rejects(server('127.0.0.2').send(mailTo('ada@example.com')), { code: 'ETLS' });
      assert.deepEqual(smtp.mails, []);
      await server('127.0.0.2', '?tls=off').send(mailTo('ada@example.com'));
      assert.equal(smtp.mails.length, 1);
    });

    it('have one recipient and no header of their recipient’s making', async () => {
      const hostile = [
        'a@example.com\r\nBcc: victim@example.com',
        'a@example.com\nSubject: won',
        'a@example.com, victim@example.com',
        'a@example.com> <victim@example.com',
        '"victim@example.com,"@example.com',
        'Ada <a@example.com>, victim@example.com',
        'a@example.com\0',
        '=?utf-8?q?victim=40example.com=2C?=@example.com',
      ];
      for (const to of hostile) {
        const before = smtp.mails.length;
        const isValid = emailAddress.validate(to).error === undefined;
        await server()
          .send(mailTo(to))
          .catch((error: unknown) => assert.ok(!isValid, String(error)));
        for (const { recipients, data } of smtp.mails.slice(before)) {
          assert.equal(recipients.length, 1, to);
          assert.notEqual(recipients[0], 'victim@example.com');
          const { to: recipient, cc, bcc, subject } = headersOf(data);
          assert.deepEqual(
            [recipient.length, cc, bcc, subject],
            [1, undefined, undefined, ['Choose a new password for Tidemark']],
            to,
          );
        }
      }
      assert.ok(
        smtp.commands.filter((command) => command.startsWith('RCPT')).every((line) => !/[\r\n]/.test(line)),
      );
    });

    it('fail when the server refuses or leaves', async () => {
      smtp.fault = (command) => (command.startsWith('RCPT') ? '550 unknown' : null);
      await assert.rejects(server().send(mailTo('ada@example.com')), {
        code: 'EENVELOPE',
        responseCode: 550,
      });
      await smtp.close();
      await assert.rejects(server().send(mailTo('ada@example.com')), { code: 'ESOCKET' });
      smtp = await openSmtpServer();
    });
  });
});
