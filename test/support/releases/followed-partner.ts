import { until } from '../process/until.js';
import type { RunningRelease } from './running-release.js';

interface Timeline {
  payload: { status: string; reason?: string; orders: { leg: string; side: string; status: string }[] };
}

/** A partner whose channel the demo account follows, and what it did with each signal. */
export class FollowedPartner {
  readonly headers: Record<string, string>;
  readonly signals: string[] = [];

  private constructor(headers: Record<string, string>) {
    this.headers = headers;
  }

  /** Made by the commands of that release. */
  static async open(release: RunningRelease): Promise<FollowedPartner> {
    const { key, secret } = release.command<{ key: string; secret: string }>('partner', 'add', '--name', 'P');
    const { id } = release.command<{ id: string }>('channel', 'add', '--partner', 'P', '--name', 'C');
    const { status } = await post(
      release,
      '/backend/subscriptions',
      { channel: id, investPercent: 1 },
      await sessionOf(release),
    );
    if (status !== 200) throw new Error(`the demo account could not subscribe: ${status}`);
    return new FollowedPartner({ 'svc-api-key': key, 'svc-api-secret': secret });
  }

  /** The sides of the filled entries of each signal, or its state where there is none. */
  async entries(release: RunningRelease): Promise<Record<string, string[]>> {
    const session = await sessionOf(release);
    const found = this.signals.map(async (id): Promise<[string, string[]]> => {
      const answer = await fetch(`${release.url}/backend/signals/${id}`, { headers: session });
      const { status, reason, orders = [] } = ((await answer.json()) as Timeline).payload;
      const filled = orders.filter((order) => order.leg.startsWith('entry') && order.status === 'filled');
      return [id, filled.length > 0 ? filled.map(({ side }) => side) : [`${status} ${reason ?? ''}`]];
    });
    return Object.fromEntries(await Promise.all(found));
  }

  /** Resolves when each signal was entered, or after the given time. */
  async entered(release: RunningRelease, withinMs: number): Promise<Record<string, string[]>> {
    const endsAt = Date.now() + withinMs;
    for (;;) {
      const entries = await this.entries(release);
      if (Object.values(entries).every(([first]) => first === 'buy') || Date.now() > endsAt) return entries;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

const post = (release: RunningRelease, path: string, body: object, headers: object = {}) =>
  fetch(release.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** A session of the demo account; asked for until it is opened, because what is judged is not this. */
const sessionOf = (release: RunningRelease): Promise<{ 'session-token': string }> =>
  until('a session', async () => {
    const answer = await post(release, '/backend/login', release.login);
    const { payload } = (await answer.json()) as { payload: { token: string } };
    return answer.status === 200 && { 'session-token': payload.token };
  });
