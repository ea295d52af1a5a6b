import { useRef } from 'preact/hooks';
import type { RouteInput, RoutePayload } from '../../client/routes.js';
import { useAnswer, useLater } from '../../client/use-answer.js';
import { capital } from '../../parts/formats.js';

export type SignalInput = RouteInput<'POST /backend/partner/signals'>;
type Checked = RoutePayload<'POST /backend/partner/signals/validate'>;
export type ShownOutlook = NonNullable<Checked['outlook']>;

export const mostSignalTargets = 6;
export const targetName = (n: number) => `sell_price_${n + 1}`;

/** What the fields of the service are called here. */
export const signalLabels: Readonly<Record<string, string>> = {
  coin: 'Asset',
  type: 'Side',
  exchange: 'Exchange',
  buy_price_min: 'Buy from',
  buy_price_max: 'Buy to',
  stop_loss: 'Stop loss',
  ...Object.fromEntries(
    Array.from({ length: mostSignalTargets }, (_, n) => [targetName(n), `Target ${n + 1}`]),
  ),
};

const inPlainWords = (message: string): string =>
  capital(message.replace(/"(\w+)"/g, (quoted, name: string) => signalLabels[name] ?? quoted));

/** What the service says of a signal while it is typed. */
export function useSignalCheck(body: SignalInput) {
  const asked = useLater(body);
  const { data, error } = useAnswer('POST /backend/partner/signals/validate', asked);
  // Until the next answer is there, the faults before stay where they are.
  const last = useRef<Checked | null>(null);
  if (data) last.current = data;
  const { faults = [], outlook = null } = last.current ?? {};
  return {
    error,
    outlook,
    /** The signal that was asked about: it lags behind what is typed. */
    asked,
    isValid: data?.valid === true && JSON.stringify(asked) === JSON.stringify(body),
    missing: faults.filter(({ kind }) => kind === 'missing').map(({ field }) => signalLabels[field] ?? field),
    asksMeant: faults.some(({ message }) => message.includes('confirm_price')),
    faultOf: (field: string) => {
      const found = faults.find((each) => each.field === field && each.kind === 'content');
      return found && inPlainWords(found.message.replace(/; if it is meant.*/, ''));
    },
  };
}
