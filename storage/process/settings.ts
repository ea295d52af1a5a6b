import type Joi from 'joi';
import type { settingsSchema } from './settings-schema.js';

/** All settings: environment variables, or lines of a `.env` file in the working folder. See SETTINGS.md. */
export type Settings = typeof settingsSchema extends Joi.ObjectSchema<infer T> ? T : never;
