/** `unfit`: data are lost or the service fails in operation. `warning`: acceptable for some uses. */
export type CheckLevel = 'ok' | 'warning' | 'unfit';

/** What one check has found. */
export interface Finding {
  level: CheckLevel;
  part: 'redis' | 'mongodb' | 'machine' | 'settings';
  check: string;
  /** Without secrets. */
  found: string;
  /** What to change; null where nothing is to be done. */
  advice: string | null;
}

/** Makes the findings of one part. */
export function findingsOf(part: Finding['part']) {
  const finding =
    (level: Finding['level']) =>
    (check: string, found: string, advice: string | null = null): Finding => ({
      level,
      part,
      check,
      found,
      advice,
    });
  return { ok: finding('ok'), warning: finding('warning'), unfit: finding('unfit') };
}

/** A share that is fine up to 80 % and unfit from 95 %. */
export function shareFinding(
  part: Finding['part'],
  check: string,
  { used, of, found, advice }: { used: number; of: number; found: string; advice: string },
): Finding {
  const { ok, warning, unfit } = findingsOf(part);
  if (used >= of * 0.95) return unfit(check, found, advice);
  return used >= of * 0.8 ? warning(check, found, advice) : ok(check, found);
}

/** A number of bytes as text in MB or GB. */
export const gigabytes = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.round(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;
