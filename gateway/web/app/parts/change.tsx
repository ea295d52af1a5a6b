import { percentText } from './formats.js';

interface ChangeProps {
  value: number | null | undefined;
  text?: string;
  /** Why it is unknown. */
  reason?: string | null;
}

/** A figure that is good above zero and bad below: its sign says so, and its colour. */
export function Change({ value, text, reason }: ChangeProps) {
  const kind = !value ? '' : value > 0 ? 'rise' : 'fall';
  return (
    <span class={`figure ${kind}`} title={value === null ? (reason ?? undefined) : undefined}>
      {text ?? percentText(value)}
    </span>
  );
}
