import type { ParameterizedContext } from 'koa';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import { checkScope, findSession } from '../../auth/session.js';
import type { Deps, RequestState } from '../../context.js';
import type { Operation } from '../../operation.js';
import { understoodInput } from '../../understood-input.js';
import { RequestCaller, inHandSlot } from '../../routes/caller.js';
import { chargeAddress, chargeCaller, chargeLookup, runCharged } from '../../routes/charge.js';
import { readBrowserKey } from './browser-key.js';
import { readCookie } from './cookies.js';

/** Holds the session token of a browser. Pages read it, and the REST API for pages of this service (auth/rest-access.ts). */
export const sessionCookie = { name: 'session', maxAgeSeconds: 7 * 86_400 };

type Context = ParameterizedContext<RequestState>;

/** Who asks for a page, and how operations run for them. */
export interface PageCaller {
  user: SignedIn | null;
  /** The secret of the browser that its forms are bound to: its session token, or for a guest its browser key; null if it has none. */
  secret: string | null;
  /** Charges a guest for reading a form: that is work, too. Throws `rate_limited`. */
  payAhead(): Promise<void>;
  /** Charges points for work without an operation. Throws `rate_limited`. */
  pay(points: number): Promise<void>;
  run<Input, Output>(operation: Operation<Input, Output>, input?: object): Promise<Output>;
}

/** The caller by the cookie of the browser. Throws `rate_limited` for a look-up of made-up sessions. */
export async function readPageCaller(ctx: Context, deps: Deps): Promise<PageCaller> {
  const token = readCookie(ctx, sessionCookie, deps.settings);
  const found = await findSession(token ?? undefined, deps.signedIn, () => chargeLookup(ctx, deps));
  const { user } = found;
  let { paid } = found;
  return {
    user,
    secret: user ? token : readBrowserKey(ctx, deps.settings),
    async payAhead() {
      if (user || paid > 0) return;
      await chargeAddress(ctx, deps, 'guest', 1).paid;
      paid = 1;
    },
    async pay(points) {
      const charge = chargeCaller(ctx, deps, user, points, paid);
      paid = 0;
      await charge.paid;
    },
    async run(operation, given = {}) {
      const charge = chargeCaller(ctx, deps, user, operation.cost, paid);
      paid = 0;
      const slot = inHandSlot(ctx, deps);
      const caller = new RequestCaller(ctx, user, slot.leave);
      const { payload } = await runCharged(charge, operation.isLight === true, async () => {
        checkScope(operation, user);
        const input = await understoodInput(operation.input, given, deps, true);
        return slot.hold(() => operation.handle(input, deps, caller));
      });
      return payload;
    },
  };
}
