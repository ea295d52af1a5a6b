const names = {
  text: '--quiet',
  line: '--line',
  page: '--page',
  ink: '--text',
  accent: '--accent',
  rise: '--rise',
  fall: '--fall',
  accumulate: '--accumulate',
  wait: '--wait',
  distribute: '--distribute',
  danger: '--danger',
} as const;

export type ChartColours = Readonly<Record<keyof typeof names, string>>;

/** The colours of the page as it is now, for what is drawn on a canvas. */
export function chartColours(): ChartColours {
  const style = getComputedStyle(document.documentElement);
  const entries = Object.entries(names).map(([name, variable]) => [
    name,
    style.getPropertyValue(variable).trim(),
  ]);
  return Object.fromEntries(entries) as ChartColours;
}
