import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail as the server has received it. */
export interface ReceivedMail {
  from: string;
  recipients: string[];
  /** Headers and body, with the line ends of the protocol. */
  data: string;
}

/** What the server answers to a command instead of the usual; null: the usual; `hang`: nothing. */
export type SmtpFault = (command: string) => string | null;

export interface TestSmtpServer {
  port: number;
  mails: ReceivedMail[];
  /** Everything that clients have sent. */
  commands: string[];
  fault: SmtpFault;
  close: () => Promise<void>;
}

/** An SMTP server on this machine, without TLS: the few lines of RFC 5321 that a client needs. */
export async function openSmtpServer(host = '127.0.0.1'): Promise<TestSmtpServer> {
  const sockets = new Set<Socket>();
  const opened: TestSmtpServer = {
    port: 0,
    mails: [],
    commands: [],
    fault: () => null,
    close: () => closeServer(server, sockets),
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    speakSmtp(socket, opened);
  });
  server.listen(0, host);
  await once(server, 'listening');
  opened.port = (server.address() as AddressInfo).port;
  return opened;
}

const closeServer = (server: Server, sockets: ReadonlySet<Socket>) => {
  for (const socket of sockets) socket.destroy();
  return new Promise<void>((resolve) => server.close(() => resolve()));
};

const dataEnd = '\r\n.\r\n';

function speakSmtp(socket: Socket, opened: TestSmtpServer): void {
  let unread = '';
  let isData = false;
  let mail: ReceivedMail = { from: '', recipients: [], data: '' };
  const say = (line: string) => socket.write(`${line}\r\n`);
  const obey = (command: string) => {
    opened.commands.push(command);
    const fault = opened.fault(command);
    if (fault === 'hang') return;
    if (fault !== null) return void say(fault);
    const [verb] = command.toUpperCase().split(/[\s:]/);
    if (verb === 'EHLO') return void say('250-test\r\n250-SMTPUTF8\r\n250 8BITMIME');
    if (verb === 'STARTTLS') return void say('502 not here');
    if (verb === 'MAIL') mail = { from: addressIn(command), recipients: [], data: '' };
    if (verb === 'RCPT') mail.recipients.push(addressIn(command));
    isData = verb === 'DATA';
    say(isData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok');
    if (verb === 'QUIT') socket.end();
  };
  socket.setEncoding('utf8').on('data', (text: string) => {
    unread += text;
    for (;;) {
      const end = unread.indexOf(isData ? dataEnd : '\r\n');
      if (end < 0) return;
      const part = unread.slice(0, end);
      unread = unread.slice(end + (isData ? dataEnd : '\r\n').length);
      if (!isData) {
        obey(part);
        continue;
      }
      isData = false;
      const fault = opened.fault('END');
      if (fault === null) opened.mails.push({ ...mail, data: part });
      if (fault !== 'hang') say(fault ?? '250 taken');
    }
  });
  say('220 test');
}

const addressIn = (command: string) => /<([^>]*)>/.exec(command)?.[1] ?? '';
