import { momentText, unknownMark } from './formats.js';

interface TimeProps {
  at: string | number | Date | null | undefined;
  to?: 'day' | 'date' | 'minute' | 'second';
}

/** A moment, which machines and tooltips read in full. */
export function Time({ at, to = 'minute' }: TimeProps) {
  if (at === null || at === undefined) return <>{unknownMark}</>;
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {momentText(at, to)}
    </time>
  );
}
