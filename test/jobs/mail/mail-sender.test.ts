import assert from 'node:assert/strict';
import { MailSender } from '../../../jobs/mail/mail-sender.js';
import { smtpTransport } from '../../../storage/mail/open-mail-transport.js';
import { until } from '../../support/process/until.js';
import { openSmtpServer, type TestSmtpServer } from '../../support/servers/smtp-server.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const email = 'ada@example.com';

interface Line {
  level: string;
  fields: Record<string, unknown>;
  message: string;
}

describe('MailSender', () => {
  const context = temporaryStorage();
  let smtp: TestSmtpServer;
  let lines: Line[];
  let senders: MailSender[];
  let aheadMs: number;

  beforeEach(async () => {
    [lines, senders, aheadMs] = [[], [], 0];
    smtp = await openSmtpServer();
    await context.db.collection('mails').deleteMany({});
    await context.db.collection('users').deleteMany({});
  });
  afterEach(async () => {
    await Promise.all(senders.map((sender) => sender.close()));
    await smtp.close();
  });

  const line = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message });
  const log = { info: line('info'), warn: line('warn'), error: line('error') };
  const start = (storage = context.storage) => {
    const sender = new MailSender({
      storage,
      transport: smtpTransport(`smtp://127.0.0.1:${smtp.port}`, 'no-reply@example.com'),
      serviceUrl: () => Promise.resolve('https://tidemark.example'),
      now: () => Date.now() + aheadMs,
      log: log as never,
      everyMs: 20,
    });
    senders.push(sender);
    return sender;
  };
  const addUser = (emailVerified = false) =>
    context.storage.users.add({ email, plan: 'free', passwordHash: 'hash', emailVerified });
  const waiting = () => context.db.collection('mails').countDocuments({ dueAt: { $exists: true } });
  const tokenIn = (data: string, kind: string) =>
    new RegExp(`https://tidemark.example/${kind}\\?token=([\\w-]{43})\\s`).exec(
      data.replaceAll('=\r\n', '').replaceAll('=3D', '='),
    )?.[1];

  it('sends a mail whose link works, once', async () => {
    const { id } = await addUser();
    await context.storage.mails.ask('verify', email);
    start();
    start(context.another());
    await until('the mail', async () => (await waiting()) === 0);
    await until('the log', () => lines.length > 0);
    assert.equal(smtp.mails.length, 1);
    const token = tokenIn(smtp.mails[0].data, 'verify')!;
    assert.deepEqual(await context.storage.mails.claim('verify', token), { userId: id, email });
    assert.deepEqual(lines, [
      { level: 'info', fields: { kind: 'verify', attempts: 1 }, message: 'mail sent' },
    ]);
  });

  it('sends nothing without an account, and nothing to confirm an e-mail twice', async () => {
    await context.storage.mails.ask('reset', 'nobody@example.com');
    await addUser(true);
    await context.storage.mails.ask('verify', email);
    start();
    await until(
      'both to be dropped',
      async () => (await context.db.collection('mails').countDocuments()) === 0,
    );
    assert.deepEqual([smtp.mails, smtp.commands, lines], [[], [], []]);
  });

  it('tries again, ever more rarely, and the link of the mail that arrives works', async () => {
    await addUser();
    const pauses: string[] = [];
    smtp.fault = (command) => (command === 'END' && pauses.length < 3 ? '451 later' : null);
    await context.storage.mails.ask('reset', email);
    start();
    for (const ms of [10_000, 20_000, 40_000]) {
      await until('a failure', () => lines.length > pauses.length);
      pauses.push(lines.at(-1)!.message);
      aheadMs += ms;
    }
    await until('the mail', () => smtp.mails.length === 1);
    assert.deepEqual(
      pauses,
      [10, 20, 40].map((s) => `mail not sent; tried again in ${s} s`),
    );
    await until('the end', async () => (await waiting()) === 0);
    const token = tokenIn(smtp.mails[0].data, 'reset')!;
    assert.notEqual(await context.storage.mails.claim('reset', token), null);
    assert.deepEqual(lines.at(-1)!.fields, { kind: 'reset', attempts: 4 });
  });

  it('gives up when the time of the mail is over, and at once when the server refuses the recipient', async () => {
    await addUser();
    smtp.fault = (command) => (command.startsWith('MAIL') ? '451 later' : null);
    await context.storage.mails.ask('reset', email);
    start();
    await until('a failure', () => lines.length > 0);
    aheadMs = 3_590_000;
    await until('the end', async () => (await context.db.collection('mails').countDocuments()) === 0);
    smtp.fault = (command) => (command.startsWith('RCPT') ? `550 ${email} is unknown` : null);
    await context.storage.mails.ask('verify', email);
    await until('the second end', () => lines.filter(({ level }) => level === 'error').length === 2);
    assert.deepEqual(
      lines.filter(({ level }) => level === 'error').map(({ message }) => message),
      ['mail given up', 'mail given up'],
    );
    assert.equal(await waiting(), 0);
  });

  it('notes once that a user is to get a link, however often the mail is tried', async () => {
    const { id } = await addUser();
    const failures = () => lines.filter(({ level }) => level === 'warn').length;
    smtp.fault = (command) => (command === 'END' && failures() < 2 ? '451 later' : null);
    await context.storage.mails.ask('reset', email);
    const sender = start();
    for (const [n, ms] of [10_000, 20_000].entries()) {
      await until('a failure', () => failures() > n);
      aheadMs += ms;
    }
    await until('the mail', () => smtp.mails.length === 1);
    await sender.close();
    const { events } = await context.storage.auditEvents.list({
      userId: id,
      event: 'reset_asked',
      limit: 10,
    });
    assert.equal(events.length, 1);
  });

  it('sends a mail that has time left by the shared clock, though not by that of this machine', async () => {
    await addUser();
    await context.storage.mails.ask('verify', email);
    const passed = { endsAt: new Date(Date.now() - 60_000) };
    await context.db.collection('mails').updateOne({ email }, { $set: passed });
    aheadMs = -3_600_000;
    start();
    await until('a line', () => lines.length > 0);
    assert.deepEqual(
      lines.map(({ message }) => message),
      ['mail sent'],
    );
  });

  it('ends when every mail is sent, even if the database has failed meanwhile', async () => {
    await addUser();
    await context.storage.mails.ask('verify', email);
    const { mails, users, auditEvents } = context.storage;
    let looks = 0;
    const failing = {
      takeDue: (now: number, leaseMs: number) =>
        ++looks === 1 ? mails.takeDue(now, leaseMs) : Promise.reject(new Error('away')),
      issueLink: mails.issueLink.bind(mails),
      sent: mails.sent.bind(mails),
    } as typeof mails;
    let finish: (() => void) | null = null;
    let isSent = false;
    const send = () =>
      new Promise<void>((resolve) => {
        finish = () => {
          isSent = true;
          resolve();
        };
      });
    const sender = new MailSender({
      storage: { users, auditEvents, mails: failing },
      transport: { send },
      serviceUrl: () => Promise.resolve('https://tidemark.example'),
      now: () => Date.now(),
      log: log as never,
      everyMs: 3_600_000,
    });
    const end = await until('the mail to be on its way', () => finish);
    const closing = sender.close().then(() => isSent);
    setImmediate(end);
    assert.equal(await closing, true);
    assert.ok(looks > 1);
  });

  it('keeps links and addresses out of the log', async () => {
    await addUser();
    smtp.fault = (command) => (command.startsWith('RCPT') ? `550 5.1.1 <${email}> unknown` : null);
    await context.storage.mails.ask('verify', email);
    start();
    await until('the refusal', () => lines.length > 0);
    smtp.fault = () => null;
    await context.storage.mails.ask('verify', email);
    await until('the mail', () => smtp.mails.length > 0);
    await until('its line', () => lines.length > 1);
    const text = JSON.stringify(lines);
    assert.match(text, /\[recipient\]/);
    assert.ok(!text.includes(email));
    assert.ok(!text.includes(tokenIn(smtp.mails[0].data, 'verify')!));
  });

  it('sends what a sender that died has left, when its lease is over', async () => {
    await addUser();
    await context.storage.mails.ask('verify', email);
    assert.notEqual(await context.storage.mails.takeDue(Date.now(), 120_000), null);
    start();
    aheadMs = 119_000;
    await until('a look', () => smtp.commands.length === 0);
    aheadMs = 125_000;
    await until('the mail', () => smtp.mails.length === 1);
  });

  it('sends other mails while a server hangs, and ends when it is closed', async () => {
    await addUser();
    await context.storage.users.add({
      email: 'bob@example.com',
      plan: 'free',
      passwordHash: null,
      emailVerified: false,
    });
    let hung = 0;
    smtp.fault = (command) => (command.includes(email) && hung++ === 0 ? 'hang' : null);
    await context.storage.mails.ask('verify', email);
    const sender = start();
    await until('the hanging mail', () => hung === 1);
    await context.storage.mails.ask('verify', 'bob@example.com');
    start();
    await until('the other mail', () => smtp.mails.length === 1);
    assert.deepEqual(smtp.mails[0].recipients, ['bob@example.com']);
    await smtp.close();
    await sender.close();
    assert.equal(await waiting(), 1);
    smtp = await openSmtpServer();
  });
});
