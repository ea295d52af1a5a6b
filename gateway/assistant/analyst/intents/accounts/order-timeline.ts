import type { getOrder } from '../../../../operations/signals/get-order.js';
import { decidedArgs } from '../../decided-args.js';
import { writeMoment, writeNumber, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import type { OutputOf } from '../../output-of.js';
import { oneLine } from '../../one-line.js';

type OrderStory = OutputOf<typeof getOrder>;

const mostTold = 4;

export const orderTimelineIntent = defineIntent<OrderStory>({
  name: 'order-timeline',
  title: 'what happened to one of your orders, and why',
  tool: 'get_order_timeline',
  phrases: [
    'what happened to order {id}',
    'timeline of order {id}',
    'why was my order rejected',
    'why did order {id} fail',
    'show me the timeline of an order',
    'history of order {id}',
    'when was order {id} filled',
    'is order {id} through',
    'trace order {id}',
    'why is order {id} not filled',
    'why was order {id} cancelled',
    'each step of order {id}',
    'walk me through order {id}',
    'what went wrong with order {id}',
    'did order {id} go through',
    'what became of order {id}',
    'where is order {id}',
    'status of order {id}',
    'how was order {id} executed',
    'details of order {id}',
    'why is order {id} stuck',
    'track order {id}',
    'who cancelled order {id}',
    'why did my order fail',
    'why was my order not filled',
    'what happened to my order',
    'every event of order {id}',
    'how long did order {id} take to get acknowledged',
    'what did the exchange say about order {id}',
    'did order {id} get retried',
    'was order {id} filled in several parts',
    'when was order {id} sent',
  ],
  needs: { id: 'What is the id of the order? Your list of orders shows it.' },
  takes: [],
  args: ({ id }) => decidedArgs({ order_id: id }),
  answer: ({ side, quantity, asset, price, exchange, status, filled, failure, timeline }) => ({
    lead: `The order to ${side} ${writeNumber(quantity, 5)} ${asset}${price === null ? '' : ` at ${writePrice(price)}`} on ${exchange} is ${status.replaceAll('_', ' ')}, with ${Number(filled) === 0 ? 'nothing' : writeNumber(filled, 5)} filled${failure === null ? '' : `: ${oneLine(failure)}`}.`,
    ...(timeline.length === 0
      ? {}
      : {
          figures: [
            `${timeline.length > mostTold ? 'Its last steps' : 'Its steps'}: ${timeline.slice(-mostTold).map(stepWords).join('; ')}.`,
          ],
        }),
  }),
});

const stepWords = ({ at, step, text, quantity, price }: OrderStory['timeline'][number]): string => {
  const size =
    quantity === null || (step !== 'filled' && step !== 'filled_in_part')
      ? ''
      : `, ${writeNumber(quantity, 5)}${price === null ? '' : ` at ${writePrice(price)}`}`;
  return `${step.replaceAll('_', ' ')}${at === null ? '' : ` on ${writeMoment(at)}`} (${oneLine(text)}${size})`;
};
