import { calculatePositionSize, type PositionParams, type PositionSize } from '../risk/position-size.js';
import { defineTask, type ParamsQuestion } from '../task.js';

/** How much to buy or sell for a given risk, in exact decimals. Throws `invalid_input`. */
export const positionSize = defineTask({
  name: 'position-size',
  run: ({ params }: ParamsQuestion<PositionParams>): PositionSize => calculatePositionSize(params),
});
