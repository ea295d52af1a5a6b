const description = `Server-sent events, until the stream ends.
- \`prices\` (\`prices\`: \`asset\`, \`tradeMarket\`, \`price\`, \`change24h\`, \`time\`): all at first, then those that have changed, once a second at most.
- \`flip\` (\`asset\`, \`tradeMarket\`, \`interval\`, \`state\`, \`since\`), \`candle\` (\`market\`, \`asset\`, \`tradeMarket\`, \`intervals\`: candles have closed, ask again).
- \`position\`: the positions of the user have changed. \`signal\` (\`id\`, \`exchange\`, \`status\`, \`event\`), \`order\` (\`id\`, \`signal\`, \`status\`, \`filled\`).
- \`cluster\`: every 2 s. \`reset\` (\`topic\`): events of it are lost, read it again. \`closed\` (\`reason\`): do not come back.
With Last-Event-ID any gateway sends what was missed within 10 minutes, up to 500 events of a topic, and of a user. An event can come twice.
A comment comes every 15 s. A reader with 64 KB unread is dropped; a stream ends after an hour, and \`retry\` says when to open the next one.
Of a session 4 streams are open at a gateway, the oldest is closed for a fifth; of a network without sessions 20.`;

export const liveContent = {
  'text/event-stream': {
    schema: { type: 'string', description },
    example:
      'id: 1764000000000-1\nevent: flip\ndata: {"asset":"BTC","tradeMarket":"USDT","interval":"1d","state":"wait"}\n\n',
  },
};
