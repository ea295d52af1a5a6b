import { setTimeout as pause } from 'node:timers/promises';
import { fixtureTool, textResult, type FixtureTool } from './fixture-tool.js';

/** The suite sees whether messages come one after the other. */
const betweenMs = 50;

/** Tools that send log messages and progress before they answer. */
export const notifyingTools: readonly FixtureTool[] = [
  fixtureTool('test_tool_with_logging', 'Sends three log messages', async ({ mcpReq }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await pause(betweenMs);
    }
    return textResult('Tool with logging executed successfully');
  }),
  fixtureTool('test_tool_with_progress', 'Reports progress in three steps', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return textResult('no progress token');
    for (const progress of [0, 50, 100]) {
      const message = `Completed step ${progress} of 100`;
      const params = { progressToken, progress, total: 100, message };
      await mcpReq.notify({ method: 'notifications/progress', params });
      await pause(betweenMs);
    }
    return textResult(String(progressToken));
  }),
  fixtureTool('test_logging_tool', 'Logs if the request asks for logs', async ({ mcpReq }) => {
    await mcpReq.log('info', 'the tool runs');
    return textResult('logged');
  }),
  fixtureTool('test_streaming_elicitation', 'Answers without a request to the client', async () =>
    textResult('answered'),
  ),
];
