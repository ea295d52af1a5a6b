import PQueue from 'p-queue';
import { AppError } from '../../../../compute/model/errors.js';
import type { GuardedExchange } from '../../guarded-exchange.js';
import type { AccountListener, AccountStreams } from '../../trading-venue.js';
import type { AccountNews, StreamTicket, VenueUserStream } from '../../venue-user-stream.js';
import type { LiveAccount } from '../live-account.js';
import { reconnectDelayMs } from './reconnect-delay.js';
import { UserSocket } from './user-socket.js';
import type { StreamedBalances } from './streamed-balances.js';
import { exchangeRefused } from '../../venue-answers.js';

/** How many accounts are opened at a time. */
const mostOpening = 4;
/** Streams that lasted this long do not count as a failure. */
const stableMs = 60_000;
/** How long an account is left alone whose stream the exchange has refused. */
const refusedMs = 3_600_000;
/** A renewal comes earlier by up to this share, so that those of many accounts are spread. */
const renewalSpread = 0.3;

export interface UserStreamsOptions {
  stream: VenueUserStream;
  guard: () => Promise<GuardedExchange>;
  /** The account of a user; null without a connection. */
  account: (userId: string) => Promise<LiveAccount | null>;
  listener: AccountListener;
  /** Keeps what they tell of balances on SPOT; null: it is not known from that. */
  balances: StreamedBalances | null;
  /** The longest time before the first connection after one that ended. Default: 1 s. */
  reconnectMs?: number;
  answerMs?: number;
}

interface OpenPart {
  part: string;
  socket: UserSocket;
  line: string;
  renewal?: NodeJS.Timeout;
}

/** An account whose streams are wanted. */
interface WantedAccount {
  state: 'closed' | 'opening' | 'open';
  account: LiveAccount | null;
  parts: OpenPart[];
  /** Parts that the user has not opened at the exchange. They are asked for again after an hour. */
  absent: Set<string>;
  failures: number;
  notBeforeMs: number;
  openedMs: number;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Calls `then` where the account has no such part. */
const ifAbsent =
  (then: () => unknown) =>
  (error: unknown): void => {
    if (!(error instanceof AppError) || error.details.reason !== 'absent') throw error;
    then();
  };

/** The private streams of accounts of one exchange. Call `follow` regularly: it opens what is missing once its delay is over. */
export class UserStreams implements AccountStreams {
  readonly #options: UserStreamsOptions;
  readonly #accounts = new Map<string, WantedAccount>();
  /** Connections with room for further accounts, by address. */
  readonly #shared = new Map<string, Promise<UserSocket>>();
  readonly #opening = new PQueue({ concurrency: mostOpening });
  #isClosed = false;

  constructor(options: UserStreamsOptions) {
    this.#options = options;
  }

  follow(userIds: readonly string[]): void {
    const wanted = new Set(userIds);
    for (const [userId, each] of this.#accounts) if (!wanted.has(userId)) this.#drop(userId, each);
    const now = performance.now();
    for (const userId of wanted) {
      const known = this.#accounts.get(userId) ?? this.#add(userId);
      if (known.state === 'open' && this.#lacksPart(known)) this.#lose(userId, known, 'the key opens more');
      if (known.state !== 'closed' || now < known.notBeforeMs) continue;
      known.state = 'opening';
      void this.#opening.add(() => this.#open(userId, known));
    }
  }

  unread(): string[] {
    return this.#options.balances?.unread() ?? [];
  }

  close(): void {
    this.#isClosed = true;
    this.#opening.clear();
    for (const [userId, each] of this.#accounts) this.#drop(userId, each);
  }

  #add(userId: string): WantedAccount {
    const added = { state: 'closed' as const, account: null, parts: [], absent: new Set<string>() };
    this.#accounts.set(userId, { ...added, failures: 0, notBeforeMs: 0, openedMs: 0 });
    return this.#accounts.get(userId)!;
  }

  #drop(userId: string, each: WantedAccount): void {
    this.#accounts.delete(userId);
    this.#end(userId, each);
  }

  /** Whether it is wanted still: it may have been dropped, or lost, while a request was under way. */
  #isWanted = (userId: string, each: WantedAccount): boolean =>
    !this.#isClosed && this.#accounts.get(userId) === each && each.state !== 'closed';

  /** Whether the key opens an account by now that is not streamed. */
  #lacksPart({ account, parts, absent, openedMs }: WantedAccount): boolean {
    const isOld = performance.now() - openedMs > refusedMs;
    const isKnown = (name: string) => parts.some(({ part }) => part === name) || (absent.has(name) && !isOld);
    return Object.entries(this.#options.stream.parts).some(
      ([name, of]) => of.some((each) => account!.opensNow(each)) && !isKnown(name),
    );
  }

  async #open(userId: string, each: WantedAccount): Promise<void> {
    if (!this.#isWanted(userId, each)) return;
    try {
      const account = await this.#options.account(userId);
      if (!account) throw exchangeRefused('the account is not connected');
      each.account = account.as('stream');
      each.absent.clear();
      for (const [part, of] of Object.entries(this.#options.stream.parts))
        if (of.some((one) => each.account!.opensNow(one)))
          await this.#openPart(userId, each, part).catch(ifAbsent(() => each.absent.add(part)));
      if (!this.#isWanted(userId, each)) return;
      // What nothing tells of has to be compared as without streams.
      if (each.parts.length === 0) throw exchangeRefused('the key opens no private stream');
      Object.assign(each, { state: 'open', openedMs: performance.now() });
      this.#options.balances?.open(userId);
      this.#options.listener.onOpen(userId);
    } catch (error) {
      // Also a database that is away: no caller waits for this, and it is tried again.
      const isRefused = error instanceof AppError && error.code === 'exchange_refused';
      this.#lose(userId, each, reasonOf(error), isRefused ? refusedMs : 0);
    }
  }

  async #openPart(userId: string, each: WantedAccount, part: string): Promise<void> {
    const { stream } = this.#options;
    const ticket = await each.account!.openStream(part);
    const socket = await this.#socketFor(ticket, part);
    const line = await this.#join(socket, { ticket, part }, userId, each);
    if (!this.#isWanted(userId, each)) return socket.leave(line);
    const opened: OpenPart = { part, socket, line };
    each.parts.push(opened);
    const renewMs = stream.renewMs?.[part];
    if (renewMs === undefined) return;
    const inMs = renewMs * (1 - renewalSpread * Math.random());
    opened.renewal = setInterval(() => void this.#renew(userId, each, { opened, ticket }), inMs);
  }

  async #join(
    socket: UserSocket,
    { ticket, part }: { ticket: StreamTicket; part: string },
    userId: string,
    each: WantedAccount,
  ): Promise<string> {
    const guard = await this.#options.guard();
    const listener = (news: AccountNews) => this.#take(userId, each, news, part);
    if (ticket.requests.length === 0) return socket.join(ticket, listener);
    return guard.onSocket('socket SUBSCRIBE', 'stream', () => socket.join(ticket, listener));
  }

  /** Extends what would expire. If the exchange names another address, the stream has ended without a word. */
  async #renew(
    userId: string,
    each: WantedAccount,
    { opened, ticket }: { opened: OpenPart; ticket: StreamTicket },
  ): Promise<void> {
    try {
      const renewed = await each.account!.openStream(opened.part);
      if (!each.parts.includes(opened)) return;
      if (renewed.url !== ticket.url) this.#lose(userId, each, 'the stream has expired');
      else if (renewed.requests.length > 0)
        opened.line = await this.#join(opened.socket, { ticket: renewed, part: opened.part }, userId, each);
    } catch (error) {
      this.#lose(userId, each, `the stream was not renewed: ${reasonOf(error)}`);
    }
  }

  /** A connection with room for an account. */
  async #socketFor({ url }: StreamTicket, part: string): Promise<UserSocket> {
    const most = this.#options.stream.most?.[part] ?? 1;
    if (most === 1) return this.#connect(url);
    const shared = await this.#shared.get(url)?.catch(() => null);
    if (shared && shared.size < most) return shared;
    const connecting = this.#connect(url);
    this.#shared.set(url, connecting);
    connecting.catch(() => this.#forget(url, connecting));
    return connecting;
  }

  async #connect(url: string): Promise<UserSocket> {
    const { stream, answerMs } = this.#options;
    const guard = await this.#options.guard();
    return guard.onSocket('socket CONNECT', 'decide', async () => {
      const socket: UserSocket = new UserSocket({
        url,
        stream,
        ...(answerMs !== undefined && { answerMs }),
        onEnd: (reason) => this.#noteEnd(url, socket, reason),
      });
      return socket;
    });
  }

  #noteEnd(url: string, socket: UserSocket, reason: string): void {
    void this.#shared.get(url)?.then(
      (shared) => shared === socket && this.#shared.delete(url),
      () => undefined,
    );
    for (const [userId, each] of this.#accounts)
      if (each.parts.some((part) => part.socket === socket)) this.#lose(userId, each, reason);
  }

  #forget(url: string, connecting: Promise<UserSocket>): void {
    if (this.#shared.get(url) === connecting) this.#shared.delete(url);
  }

  #take(userId: string, each: WantedAccount, news: AccountNews, part: string): void {
    if (!this.#isWanted(userId, each)) return;
    if (news.ended !== undefined) return this.#lose(userId, each, news.ended);
    this.#options.balances?.hear(userId, news, this.#options.stream.parts[part]);
    this.#options.listener.onNews(userId, news);
  }

  /** Ends all streams of an account, and lets them be opened again after a delay. */
  #lose(userId: string, each: WantedAccount, reason: string, leastMs = 0): void {
    if (!this.#isWanted(userId, each)) return;
    const wasOpen = each.state === 'open';
    const now = performance.now();
    if (wasOpen && now - each.openedMs >= stableMs) each.failures = 0;
    const { reconnectMs = 1_000, listener } = this.#options;
    const delayMs = reconnectDelayMs(each.failures++, reconnectMs, Math.random());
    each.notBeforeMs = now + Math.max(leastMs, delayMs);
    this.#end(userId, each);
    if (wasOpen) listener.onGap(userId, reason);
  }

  #end(userId: string, each: WantedAccount): void {
    each.state = 'closed';
    this.#options.balances?.close(userId);
    const parts = each.parts.splice(0);
    for (const { socket, line, renewal } of parts) {
      clearInterval(renewal);
      socket.leave(line);
    }
  }
}
