import { createServer, type Server, type Socket } from 'node:net';
import { BSON, ObjectId, type Document } from 'mongodb';
import type { BreakableServer } from './own-server.js';
import { listenLocally } from './listen-locally.js';
import { commandName, connectTo, headerBytes, readMessages } from './mongo-messages.js';

const setName = 'tidemark';
/** What a member answers that is no primary; anything else is refused there. */
const answeredByAll = new Set(['saslStart', 'saslContinue', 'ping', 'endSessions', 'killCursors']);
const helloNames = new Set(['hello', 'isMaster', 'ismaster']);
const [opReply, opMsg] = [1, 2013];

/**
 * A replica set of two members over one server: both pass commands on, and one at a time calls itself the primary. So a change of
 * primary loses no data of its own: what is lost is lost by the service.
 */
export class MongoSet implements BreakableServer {
  readonly url: string;
  readonly #target: URL;
  readonly #members: readonly Member[];
  #primary: Member | null;
  #elections = 1;

  private constructor(mongodbUrl: string, members: readonly Member[]) {
    this.#target = new URL(mongodbUrl);
    this.#members = members;
    this.#primary = members[0];
    const url = new URL(mongodbUrl);
    url.searchParams.delete('directConnection');
    url.searchParams.set('replicaSet', setName);
    const hosts = members.map(({ name }) => name).join();
    this.url = url.href.replace(url.host, hosts);
    for (const member of members) member.server.on('connection', (client) => this.#serve(member, client));
  }

  static async open(mongodbUrl: string): Promise<MongoSet> {
    return new MongoSet(mongodbUrl, await Promise.all([openMember(), openMember()]));
  }

  /** Host and port of each; the first is the primary at first. */
  get names(): string[] {
    return this.#members.map(({ name }) => name);
  }

  /** Ends the primary: its connections close, and it takes no others. */
  kill(): Promise<void> {
    const lost = this.#primary!;
    this.#primary = null;
    lost.isCut = true;
    for (const socket of lost.sockets) socket.destroy();
    return Promise.resolve();
  }

  /** The other member becomes the primary; the former one is a secondary again. */
  start(): Promise<void> {
    this.#elections++;
    this.#primary = this.#members.find(({ isCut }) => !isCut)!;
    for (const member of this.#members) member.isCut = false;
    return Promise.resolve();
  }

  /** The primary becomes a secondary, and keeps its connections. */
  stepDown(): void {
    this.#primary = null;
  }

  empty(): Promise<void> {
    throw new Error('the members have one server');
  }

  freeze(): void {
    throw new Error('not asked for');
  }

  thaw(): void {
    throw new Error('not asked for');
  }

  async close(): Promise<void> {
    for (const { server, sockets } of this.#members) {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  #serve(member: Member, client: Socket): void {
    if (member.isCut) return void client.destroy();
    const server = connectTo(this.#target, client, member.sockets);
    const greetings = new Set<number>();
    readMessages(client, (message) => {
      const name = commandName(message);
      if (helloNames.has(name)) greetings.add(message.readInt32LE(4));
      else if (member !== this.#primary && !answeredByAll.has(name))
        return void client.write(
          replyTo(message, { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }),
        );
      server.write(message);
    });
    readMessages(server, (message) => {
      const isGreeting = greetings.delete(message.readInt32LE(8));
      client.write(isGreeting ? withDocument(message, (hello) => this.#hello(member, hello)) : message);
    });
  }

  /** The answer of the server as that of a member. Without `topologyVersion` it is asked again every second. */
  #hello(member: Member, { topologyVersion: _version, ...hello }: Document): Document {
    const isPrimary = member === this.#primary;
    const { secondary: _secondary, primary: _primary, ...rest } = hello;
    return {
      ...rest,
      ...{ setName, setVersion: 1, hosts: this.names, me: member.name },
      ...{ isWritablePrimary: isPrimary, ismaster: isPrimary, secondary: !isPrimary },
      ...(this.#primary && { primary: this.#primary.name }),
      ...(isPrimary && { electionId: new ObjectId(this.#elections.toString(16).padStart(24, '0')) }),
    };
  }
}

interface Member {
  name: string;
  server: Server;
  sockets: Set<Socket>;
  isCut: boolean;
}

async function openMember(): Promise<Member> {
  const server = createServer();
  const name = new URL(await listenLocally(server)).host;
  return { name, server, sockets: new Set(), isCut: false };
}

/** Where the document of an answer begins: after flags and, in OP_MSG, the kind of its section; in OP_REPLY after four numbers. */
const documentOffset = (message: Buffer): number =>
  headerBytes + (message.readInt32LE(12) === opReply ? 20 : 5);

function withDocument(message: Buffer, change: (document: Document) => Document): Buffer {
  const offset = documentOffset(message);
  const document = BSON.deserialize(message.subarray(offset), { promoteValues: false, promoteLongs: false });
  const answer = Buffer.concat([message.subarray(0, offset), BSON.serialize(change(document))]);
  answer.writeInt32LE(answer.length, 0);
  return answer;
}

/** An OP_MSG that answers a message. */
function replyTo(message: Buffer, document: Document): Buffer {
  const head = Buffer.alloc(headerBytes + 5);
  head.writeInt32LE(message.readInt32LE(4), 8);
  head.writeInt32LE(opMsg, 12);
  const answer = Buffer.concat([head, BSON.serialize(document)]);
  answer.writeInt32LE(answer.length, 0);
  return answer;
}
