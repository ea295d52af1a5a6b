import { countOf } from '../../../compute/model/count-of.js';
import { checkSignal } from '../../operations/signals/check-signal.js';
import { defineTool } from '../tool.js';

export const validateSignalTool = defineTool({
  name: 'validate_signal',
  operation: checkSignal,
  headline: ({ valid, faults, outlook }) =>
    valid
      ? `The signal is valid, with ${countOf(outlook!.warnings.length, 'warning')}. Nothing was created.`
      : `The signal has ${countOf(faults.length, 'fault')}: ${faults.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
});
