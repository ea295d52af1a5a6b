import assert from 'node:assert/strict';
import { encodeReply, encodeResult } from '../../jobs/requests/wire.js';
import { Ledger } from '../support/jobs/ledger.js';

describe('the ledger of faults', () => {
  it('counts what was told, computed or handed out more often than once', () => {
    const ledger = new Ledger();
    const place = { batch: 'b', index: 0 };
    ledger.noteReplies(encodeReply({ ...place, kind: 'progress', progress: { phase: 'fit', fraction: 1 } }));
    ledger.noteReplies(encodeResult(place, {}, '1'));
    ledger.noteReplies(encodeResult({ ...place, index: 1 }, {}, '1'));
    ledger.noteRun('7');
    assert.deepEqual(ledger.repeats, { twice: 0, toldAgain: 0, runAgain: 0 });
    ledger.noteReplies(encodeResult(place, {}, '1'));
    ledger.noteRun('7');
    ledger.noteRun('7');
    // No question was asked that could have ended.
    ledger.noteEnd();
    assert.deepEqual(ledger.repeats, { twice: 1, toldAgain: 1, runAgain: 2 });
  });
});
