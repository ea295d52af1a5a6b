import { estimateDcaLadder, type DcaLadder, type DcaLadderParams } from '../risk/dca-ladder.js';
import { defineTask, type ParamsQuestion } from '../task.js';

/** What a ladder of buys costs and needs after each fill, in exact decimals. Throws `invalid_input`. */
export const dcaLadder = defineTask({
  name: 'dca-ladder',
  run: ({ params }: ParamsQuestion<DcaLadderParams>): DcaLadder => estimateDcaLadder(params),
});
