import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unlimited } from '../gateway/unlimited.js';
import { projectRoot } from '../harness/paths.js';
import { askAll } from './ask-all.js';
import { FollowedPartner } from './followed-partner.js';
import { RunningRelease } from './running-release.js';

/** What came of two releases that served side by side. */
export interface BesideOutcome {
  /** Answers by request and release. */
  answered: Record<string, number>;
  /** Each request that was not answered with 200, with what came instead. */
  failed: string[];
  /** The sides of the filled entries of each signal. */
  entries: Record<string, string[]>;
  /** What both said on standard error. */
  errors: string;
  exits: (number | null)[];
}

/** A subscription follows ten at a time. */
const mostSignals = 8;

/**
 * Starts the release of that folder on new servers, with the demo market and a partner, a channel and a follower made by its own
 * commands; starts this release beside it, and asks both for the given time. Then the older one ends, and this one is asked alone.
 * With 0 seconds the older one ends before this one starts, as in an upgrade that leaves releases out.
 */
export async function serveBeside(
  previous: string,
  servers: { REDIS_URL: string; MONGODB_URL: string },
  seconds: number,
): Promise<BesideOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-beside-'));
  const common = { ...unlimited, ...servers, SECRETS_KEY: randomBytes(32).toString('hex'), THREADS: '1' };
  const running: RunningRelease[] = [];
  const outcome: BesideOutcome = { answered: {}, failed: [], entries: {}, errors: '', exits: [] };
  const start = async (release: string, name: string) => {
    const started = await RunningRelease.start(release, { ...common, DATA_DIR: join(folder, name) });
    running.push(started);
    return started;
  };
  let rounds = 0;
  try {
    const older = await start(previous, 'older');
    const partner = await FollowedPartner.open(older);
    // The demo account is that of the older release.
    mkdirSync(join(folder, 'newer'));
    cpSync(join(folder, 'older/demo-account.json'), join(folder, 'newer/demo-account.json'));
    let newer = seconds > 0 ? await start(projectRoot, 'newer') : undefined;

    const ask = async (name: string, { url }: RunningRelease, ends: () => boolean) => {
      do {
        const { login } = older;
        const sends = partner.signals.length < mostSignals ? { partner: partner.headers } : {};
        const signal = await askAll({ url, login, ...sends, note }, ++rounds);
        if (signal !== undefined) partner.signals.push(signal);
        await pause(100);
      } while (!ends());
      function note({ what, status, text }: { what: string; status: number; text: string }) {
        const at = `${name}: ${what}`;
        outcome.answered[at] = (outcome.answered[at] ?? 0) + (status === 200 ? 1 : 0);
        if (status !== 200) outcome.failed.push(`${at}: ${status} ${text}`);
      }
    };
    const endsAt = Date.now() + seconds * 1_000;
    const isOver = () => Date.now() > endsAt;
    await Promise.all([ask('older', older, isOver), newer && ask('newer', newer, isOver)]);
    outcome.exits.push(await older.stop());
    newer ??= await start(projectRoot, 'newer');
    await ask('newer alone', newer, () => true);
    outcome.entries = await partner.entered(newer, 120_000);
    outcome.exits.push(await newer.stop());
    return outcome;
  } finally {
    outcome.errors = running.map(({ errors }) => errors).join('');
    await Promise.all(running.map((release) => release.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}
