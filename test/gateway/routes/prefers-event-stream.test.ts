import assert from 'node:assert/strict';
import { prefersEventStream } from '../../../gateway/routes/mount.js';
import { assertLinear } from '../../support/process/assert-linear.js';

const cases: [accept: string | undefined, isStream: boolean][] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', false],
  ['text/event-stream', true],
  ['TEXT/Event-Stream', true],
  [' text/event-stream ; q=0.5 ', true],
  ['text/event-stream;charset=utf-8', true],
  ['text/event-stream; Charset=UTF-8; Q=0.3', true],
  ['text/event-stream;charset=latin1', false],
  ['text/event-stream;level=1', false],
  ['text/*', true],
  // Equal weights: JSON, in whatever order.
  ['text/event-stream, application/json', false],
  ['application/json, text/event-stream', false],
  ['text/event-stream;q=0.7, application/json;q=0.7', false],
  ['text/event-stream, */*', false],
  ['text/*, application/*', false],
  // Unequal weights.
  ['text/event-stream, application/json;q=0.9', true],
  ['text/event-stream;q=0.9, application/json', false],
  ['text/event-stream, */*;q=0.1', true],
  ['text/event-stream;q=0.001, application/json;q=0', true],
  ['application/json;q=0.5, text/event-stream;q=0.501', true],
  ['text/event-stream;q=0', false],
  ['text/event-stream;q=0, application/json;q=0', false],
  // The most specific range decides, not the highest.
  ['text/*;q=1, text/event-stream;q=0.1, application/json;q=0.5', false],
  ['*/*;q=1, application/json;q=0.2, text/event-stream;q=0.3', true],
  ['text/*;q=0.5, application/json;q=0.4', true],
  // What is not a weight makes its range say nothing.
  ['text/event-stream;q=2', false],
  ['text/event-stream;q=-1', false],
  ['text/event-stream;q=0.1234', false],
  ['text/event-stream;q=x', false],
  ['text/event-stream;q=', false],
  ['text/event-stream;q=1e0', false],
  ['text/event-stream;q=1;q=1', false],
  ['text/event-stream;x="a, application/json"', false],
  ['text/event-stream, "', true],
  [',,text/event-stream,,', true],
];

describe('prefersEventStream', () => {
  for (const [accept, isStream] of cases)
    it(`is ${isStream} for ${accept === undefined ? 'no header' : JSON.stringify(accept)}`, () =>
      assert.equal(prefersEventStream(accept), isStream));

  it('takes time in proportion to the length of the header', () => {
    for (const part of ['"', ',', ';', 'text/', 'text/event-stream;q=0,', '\\"', ' '])
      assertLinear(
        part,
        (length) => `text/event-stream${part.repeat(length / part.length)}`,
        prefersEventStream,
      );
  });
});
