import type { ExchangeCommand } from './book/exchange-command.js';
import { ExchangeRefusal } from './book/exchange-refusal.js';
import type { ExchangeState } from './exchange-state.js';
import { FaultScript, type FaultScriptTerms } from './fault-script.js';
import { dialects, type DialectName } from './dialects.js';
import { QuotaCounter } from './quotas/request-quota.js';
import { ledgerOf } from './exchange-ledger.js';
import type { ExchangeSockets, SocketFaults } from './sockets/exchange-sockets.js';
import type { PrivateStreams, StreamFaults } from './streams/private-streams.js';
import type { SocketKind, SocketTrade } from './sockets/socket-dialect.js';
import type { ReceivedRequest } from './rest/signed-account.js';

interface ControlTools {
  sockets: ExchangeSockets;
  streams: PrivateStreams;
}

/** What a test asks of the exchange, by the last part of the path; the JSON body has the parameters. */
const controls: Record<string, (state: ExchangeState, body: never, tools: ControlTools) => unknown> = {
  /** Does commands one after the other. */
  commands: (state, { commands }: { commands: ExchangeCommand[] }) => {
    for (const command of commands) state.apply(command);
  },
  faults: (state, terms: FaultScriptTerms) => {
    state.faults = new FaultScript(terms);
  },
  clock: (state, { aheadMs }: { aheadMs: number }) => {
    state.aheadMs = aheadMs;
  },
  maintenance: (state, { ms }: { ms: number }) => {
    state.maintenanceUntil = state.nowMs + ms;
  },
  /** From now on trades are missing in lists for a time after they were made. */
  'late trades': (state, { ms }: { ms: number }) => {
    state.tradesLateMs = ms;
  },
  limits: (state, { dialect }: { dialect: DialectName | null }) => {
    state.quotas = dialect && new QuotaCounter(dialects[dialect].quotas);
  },
  client: (state, { pid }: { pid: number | null }) => {
    state.clientPid = pid;
  },
  ledger: (state, { apiKeys }: { apiKeys?: string[] }) => ledgerOf(state.kept.engine, apiKeys),
  requests: (state, { skip }: { skip: number }) => state.requests.slice(skip),
  sockets: (_, __, { sockets: { lines, opened } }) => ({ lines, opened }),
  'socket faults': (_, faults: SocketFaults, { sockets }) => {
    sockets.faults = faults;
  },
  'socket text': (
    _,
    { kind, text, times }: { kind: SocketKind; text: string; times: number },
    { sockets },
  ) => {
    for (let n = 0; n < times; n++) sockets.send(kind, text);
  },
  'socket trade': (_, { symbol, ...trade }: { symbol: string } & Partial<SocketTrade>, { sockets }) =>
    sockets.trade(symbol, trade),
  'socket cut': (_, __, { sockets }) => sockets.cut(),
  streams: (_, __, { streams: { lines, opened } }) => ({ lines, opened }),
  'stream faults': (_, faults: StreamFaults, { streams }) => {
    streams.faults = faults;
  },
  'stream cut': (_, { apiKey }: { apiKey?: string }, { streams }) => streams.cut(apiKey),
  'stream expire': (_, { apiKey }: { apiKey?: string }, { streams }) => streams.expire(apiKey),
};

/** Answers a request of the test. */
export function answerControl(
  state: ExchangeState,
  { path, body }: ReceivedRequest,
  tools: ControlTools,
): { status: number; body: unknown } {
  const name = decodeURIComponent(path.slice('/control/'.length));
  if (!Object.hasOwn(controls, name)) return { status: 404, body: { message: `no control "${name}"` } };
  try {
    const answer = controls[name](state, JSON.parse(body === '' ? '{}' : body) as never, tools);
    return { status: 200, body: answer ?? {} };
  } catch (error) {
    if (!(error instanceof ExchangeRefusal)) throw error;
    return { status: error.status, body: { code: error.code, message: error.message } };
  }
}
