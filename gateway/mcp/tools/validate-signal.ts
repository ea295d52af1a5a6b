import { checkSignal } from '../../operations/signals/check-signal.js';
import { defineTool } from '../tool.js';

export const validateSignalTool = defineTool({
  name: 'validate_signal',
  operation: checkSignal,
  headline: ({ valid, faults, outlook }) =>
    valid
      ? `The signal is valid, with ${outlook!.warnings.length} warnings. Nothing was created.`
      : `The signal has ${faults.length} faults: ${faults.map(({ field, message }) => `${field} ${message}`).join('; ')}.`,
});
