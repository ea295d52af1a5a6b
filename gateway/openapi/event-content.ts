import { AppError } from '../../compute/model/errors.js';
import { failureEnvelope, statusOf, successEnvelope } from '../answers/envelope.js';

const late = new AppError('time_limit', '"backtest" took longer than its limit of 60 s');

const eventOf = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const begin = [
  eventOf('progress', { phase: 'queued', fraction: 0, position: 2 }),
  eventOf('progress', { phase: 'decide', fraction: 0.4 }),
].join('');

const description = `Server-sent events, for clients whose Accept header prefers them to JSON.
\`progress\` comes at least every 2 s: \`phase\`, \`fraction\` from 0 to 1, and while the job is \`queued\` its \`position\`, 1 for the next to start.
Questions to the assistant also send \`tool\` (\`tool\`, \`state\`) and \`token\` (\`text\`; \`restart\`: the text before no longer counts).
The last event is \`result\` or \`error\`: \`status\` and \`body\` of the answer as JSON, and \`retryAfterSeconds\` where it has a Retry-After header.
Comments keep the connection alive. A client that closes its connection cancels the job.
Requests that are refused before the job starts have the usual JSON answers.`;

/** The content of a long answer for clients that prefer events. */
export const eventContent = {
  'text/event-stream': {
    schema: { type: 'string', description },
    examples: {
      result: { value: begin + eventOf('result', { status: 200, body: successEnvelope({}, 3_600) }) },
      error: {
        value:
          begin +
          eventOf('error', {
            status: statusOf(late),
            body: failureEnvelope(late, '5f1c3a52-6d0e-4a57-9b0e-2f8d1c7a9e10'),
          }),
      },
    },
  },
};

const liveContentDescription = `Server-sent events, until the stream ends.
- \`prices\` (\`prices\`: \`asset\`, \`tradeMarket\`, \`price\`, \`change24h\`, \`time\`): all at first, then those that have changed, once a second at most.
- \`flip\` (\`asset\`, \`tradeMarket\`, \`interval\`, \`state\`, \`since\`), \`candle\` (\`market\`, \`asset\`, \`tradeMarket\`, \`intervals\`: candles have closed, ask again).
- \`position\`: the positions of the user have changed. \`signal\` (\`id\`, \`exchange\`, \`status\`, \`event\`), \`order\` (\`id\`, \`signal\`, \`status\`, \`filled\`).
- \`cluster\`: every 2 s. \`reset\` (\`topic\`): events of it are lost, read it again. \`closed\` (\`reason\`): do not come back.
With Last-Event-ID any gateway sends what was missed within 10 minutes, up to 500 events of a topic, and of a user. An event can come twice.
A comment comes every 15 s. A reader with 64 KB unread is dropped; a stream ends after an hour, and \`retry\` says when to open the next one.
Of a session 4 streams are open at a gateway, the oldest is closed for a fifth; of a network without sessions 20.`;

export const liveContent = {
  'text/event-stream': {
    schema: { type: 'string', description: liveContentDescription },
    example:
      'id: 1764000000000-1\nevent: flip\ndata: {"asset":"BTC","tradeMarket":"USDT","interval":"1d","state":"wait"}\n\n',
  },
};
