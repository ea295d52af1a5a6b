import type { ExchangeCommand } from './book/exchange-command.js';
import { ExchangeRefusal } from './book/exchange-refusal.js';
import type { ExchangeState } from './exchange-state.js';
import { FaultScript, type FaultScriptTerms } from './fault-script.js';
import { ledgerOf } from './exchange-ledger.js';
import type { ReceivedRequest } from './rest/signed-account.js';

/** What a test asks of the exchange, by the last part of the path; the JSON body has the parameters. */
const controls: Record<string, (state: ExchangeState, body: never) => unknown> = {
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
  client: (state, { pid }: { pid: number | null }) => {
    state.clientPid = pid;
  },
  ledger: (state, { apiKeys }: { apiKeys?: string[] }) => ledgerOf(state.kept.engine, apiKeys),
  requests: (state) => state.requests,
};

/** Answers a request of the test. */
export function answerControl(
  state: ExchangeState,
  { path, body }: ReceivedRequest,
): { status: number; body: unknown } {
  const name = path.slice('/control/'.length);
  if (!Object.hasOwn(controls, name)) return { status: 404, body: { message: `no control "${name}"` } };
  try {
    const answer = controls[name](state, JSON.parse(body === '' ? '{}' : body) as never);
    return { status: 200, body: answer ?? {} };
  } catch (error) {
    if (!(error instanceof ExchangeRefusal)) throw error;
    return { status: error.status, body: { code: error.code, message: error.message } };
  }
}
