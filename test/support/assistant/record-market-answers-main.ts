import { writeFileSync } from 'node:fs';
import { intentNamed } from '../../../gateway/assistant/analyst/intents.js';
import { closeTestServers } from '../servers/servers.js';
import { marketAnswersFile, readMarketAnswers } from './market-answers.js';
import { textOf } from './prose-rules.js';
import { openToolAnswers } from './tool-answers.js';

// Writes the answers to the questions of the fixture anew, one to a line. Read every changed line before it is committed:
//   node dist/test/support/assistant/record-market-answers-main.js
const tools = await openToolAnswers();
const lines: string[] = [];
for (const { intent: name, slots } of readMarketAnswers()) {
  const intent = intentNamed(name)!;
  const payload = await tools.call(intent.tool!, intent.args(slots));
  lines.push(`  ${JSON.stringify({ intent: name, slots, text: textOf(intent.answer(payload, slots)) })}`);
}
writeFileSync(marketAnswersFile, `[\n${lines.join(',\n')}\n]\n`);
await tools.close();
await closeTestServers();
process.exit();
