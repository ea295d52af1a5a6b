import type { Tool } from '@modelcontextprotocol/server';
import { textResult, type FixtureTool } from './fixture-tool.js';

/** Words of JSON Schema 2020-12 that clients must get as they are written (SEP-1613, SEP-2106). */
const inputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** A tool whose listing shows whether schemas reach clients unchanged. */
export const schemaTool: FixtureTool = {
  listing: {
    name: 'json_schema_2020_12_tool',
    description: 'Has an input schema with words of JSON Schema 2020-12',
    inputSchema: inputSchema as Tool['inputSchema'],
  },
  call: async (_at, args) => textResult(JSON.stringify(args)),
};
