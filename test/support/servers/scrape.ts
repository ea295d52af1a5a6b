import assert from 'node:assert/strict';

/** The samples of a scrape, read strictly by the text format 0.0.4 of Prometheus. */
export class Scrape {
  readonly samples: { name: string; labels: Record<string, string>; value: number }[] = [];
  readonly types = new Map<string, string>();

  constructor(text: string) {
    assert.ok(text.endsWith('\n'));
    const helped = new Set<string>();
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
      if (comment?.[1] === 'HELP') helped.add(comment[2]);
      else if (comment) this.types.set(comment[2], comment[3]);
      else this.#add(line);
    }
    assert.deepEqual([...helped].sort(), [...this.types.keys()].sort());
  }

  /** The sum over all series of this name with these labels. */
  sum(name: string, wanted: Record<string, string> = {}): number {
    return this.#of(name, wanted).reduce((sum, { value }) => sum + value, 0);
  }

  /** The values a label takes. */
  values(name: string, label: string): string[] {
    return [...new Set(this.#of(name, {}).map(({ labels }) => labels[label]))].sort();
  }

  #of(name: string, wanted: Record<string, string>) {
    return this.samples.filter(
      (sample) =>
        sample.name === name && Object.entries(wanted).every(([key, value]) => sample.labels[key] === value),
    );
  }

  #add(line: string): void {
    const sample =
      /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\.)*",?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?|Nan|[+-]Inf)$/.exec(
        line,
      );
    assert.ok(sample, `not a sample: ${line}`);
    const [, name, labels = '', value] = sample;
    const family = name.replace(/_(bucket|sum|count)$/, '');
    assert.ok(this.types.has(name) || this.types.has(family), `${name} has no type`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    this.samples.push({
      name,
      labels: Object.fromEntries(pairs) as Record<string, string>,
      value: Number(value),
    });
  }
}
