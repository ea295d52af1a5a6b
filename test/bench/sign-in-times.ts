import { openStorage } from '../../storage/index.js';
import { hashPassword } from '../../storage/users/password.js';
import { hiddenFields, PageClient } from '../support/browser/page-client.js';
import { authorizationPath } from '../support/oauth/authorization-request.js';
import { gatewayModule, withBenchService } from './bench-service.js';
import { ms, percentile, printTable } from './measure.js';

const tries = 200;
/** Each e-mail is tried fewer times than after which its sign-ins are slowed down. */
const triesOfOne = 10;

/** Signs in with a password that is wrong, or to an account that does not exist. */
type TrySignIn = (email: string) => Promise<{ status: number }>;

/** Whether the time of a refused sign-in tells if an account exists: medians over 200 tries each, made in turn. */
export async function benchSignInTimes(): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    await addAccounts(mongodbUrl);
    const gateway = await start('gateway', gatewayModule);
    const url = String(gateway.facts.url);
    const rows = [['', 'wrong password p50', 'unknown account p50', 'difference']];
    for (const [name, open] of Object.entries(faces))
      rows.push([name, ...(await compare(name, await open(url)))]);
    printTable(`refused sign-ins, ${tries} of each kind in turn`, rows);
  });
}

const emailOf = (kind: string, face: string, n: number) =>
  `${kind}-${face.replaceAll(/\W/g, '-')}-${Math.floor(n / triesOfOne)}@example.com`;

async function addAccounts(mongodbUrl: string): Promise<void> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  const passwordHash = await hashPassword('a long password');
  for (const face of Object.keys(faces))
    for (let n = -triesOfOne; n < tries; n += triesOfOne)
      await storage.users.add({ email: emailOf('known', face, n), plan: 'free', passwordHash });
  await storage.close();
}

const faces: Record<string, (url: string) => Promise<TrySignIn>> = {
  'POST /backend/login': async (url) => {
    const headers = { 'Content-Type': 'application/json' };
    return async (email) => {
      const body = JSON.stringify({ email, password: 'wrong password' });
      const answer = await fetch(`${url}/backend/login`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer;
    };
  },
  'POST /sign-in': (url) => ofForm(url, '/sign-in', '/sign-in', {}),
  'POST /authorize/login': (url) =>
    ofForm(url, authorizationPath(), '/authorize/login', { decision: 'allow' }),
};

async function ofForm(
  url: string,
  page: string,
  action: string,
  more: Record<string, string>,
): Promise<TrySignIn> {
  const client = new PageClient(url);
  const hidden = hiddenFields((await client.get(page)).text);
  return (email) => client.post(action, { ...hidden, ...more, email, password: 'wrong password' });
}

async function compare(face: string, attempt: TrySignIn): Promise<string[]> {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = -triesOfOne; n < tries; n++) {
    // Which of the two comes first changes, so that neither always follows the other.
    const kinds = n % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of kinds) {
      const started = performance.now();
      const { status } = await attempt(emailOf(kind, face, n));
      if (status !== 401) throw new Error(`${face} answered ${status}, expected 401`);
      if (n >= 0) times[kind].push(performance.now() - started);
    }
  }
  const [known, unknown] = [percentile(times.known, 0.5), percentile(times.unknown, 0.5)];
  return [ms(known), ms(unknown), `${(100 * (unknown / known - 1)).toFixed(1)} %`];
}
