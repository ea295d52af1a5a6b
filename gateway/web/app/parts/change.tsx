import { percentText, type ShownFigure } from './formats.js';

interface ChangeProps {
  value: ShownFigure;
  text?: string | undefined;
}

/** A figure that is good above zero and bad below: its sign says so, and its colour. */
export function Change({ value, text = percentText(value) }: ChangeProps) {
  const size = Number(value ?? 0);
  return <span class={`figure ${size > 0 ? 'rise' : size < 0 ? 'fall' : ''}`}>{text}</span>;
}
