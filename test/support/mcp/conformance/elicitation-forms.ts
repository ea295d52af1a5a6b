import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';

type Form = ElicitRequestFormParams['requestedSchema'];

const choices = (...pairs: readonly [string, string][]) =>
  pairs.map(([value, title]) => ({ const: value, title }));

const plainChoices = ['option1', 'option2', 'option3'];

/** A form of one text field that must be filled in. */
export const textForm = (name: string): Form => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

/** A form that asks for a yes. */
export const confirmationForm: Form = {
  type: 'object',
  properties: { ok: { type: 'boolean' } },
  required: ['ok'],
};

/** A field of each primitive type, with a default (SEP-1034). */
export const defaultsForm: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: {
      type: 'string',
      description: 'User status',
      enum: ['active', 'inactive', 'pending'],
      default: 'active',
    },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  },
  required: [],
};

/** Each form of a choice (SEP-1330). */
export const choicesForm: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', description: 'one', enum: plainChoices },
    titledSingle: {
      type: 'string',
      description: 'one with titles',
      oneOf: choices(['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option']),
    },
    legacyEnum: {
      type: 'string',
      description: 'one with titles, the old way',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      description: 'several',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: plainChoices },
    },
    titledMulti: {
      type: 'array',
      description: 'several with titles',
      minItems: 1,
      maxItems: 3,
      items: {
        anyOf: choices(['value1', 'First Choice'], ['value2', 'Second Choice'], ['value3', 'Third Choice']),
      },
    },
  },
  required: [],
};
