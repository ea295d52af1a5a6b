import { formatNumber } from '../../../compute/model/format-number.js';
import { getFollowedSignal } from '../../operations/signals/get-followed-signal.js';
import { defineTool } from '../tool.js';

export const getSignalDetailsTool = defineTool({
  name: 'get_signal_details',
  operation: getFollowedSignal,
  input: ({ parentSignalId }) => ({ parent_signal_id: parentSignalId }),
  headline: ({ side, asset, tradeMarket, status, reason, targetsHit, targets, result }) => {
    const about = `A ${side} of ${asset}/${tradeMarket} is ${status}${reason === null ? '' : ` (${reason})`}, ${targetsHit} of ${targets.length} targets hit`;
    if (!result) return `${about}; nothing was bought or sold for you.`;
    const r = result.r === null ? '' : `, ${formatNumber(result.r)} R with the open part`;
    return `${about}; your realised profit is ${formatNumber(Number(result.profit))} ${tradeMarket}${r}.`;
  },
});
