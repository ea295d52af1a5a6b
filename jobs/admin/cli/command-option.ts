import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';

/** Turns the text that was given for an option into its value. Throws `invalid_command` with the option's name. */
export type OptionReader<T> = (given: string, name: string) => T;

/** An option of an admin command, `--name <value>`. */
export interface CommandOption<T> {
  /** Placeholder of the value in the help. */
  value: string;
  meaning: string;
  required: boolean;
  /** Value without the option, as text. */
  default?: string;
  choices?: readonly string[];
  read: OptionReader<T>;
}

/** The error for an option with another text than was expected. */
export const wrongOption = (name: string, expected: string, given: string): AppError =>
  new AppError('invalid_command', `--${name} must be ${expected}, found "${given}"`);

type Described = Pick<CommandOption<unknown>, 'value' | 'meaning'>;

const anyText: OptionReader<string> = (given, name) => {
  if (given === '') throw new AppError('invalid_command', `--${name} must not be empty`);
  return given;
};

/** An option that has to be given; any text but the empty one, unless `read` says otherwise. */
export function required(option: Described): CommandOption<string>;
export function required<T>(option: Described & { read: OptionReader<T> }): CommandOption<T>;
export function required(option: Described & { read?: OptionReader<unknown> }): CommandOption<unknown> {
  return { read: anyText, ...option, required: true };
}

/** An option that may be left out. */
export function optional(option: Described): CommandOption<string | undefined>;
export function optional<T>(option: Described & { read: OptionReader<T> }): CommandOption<T | undefined>;
export function optional(option: Described & { read?: OptionReader<unknown> }): CommandOption<unknown> {
  return { read: anyText, ...option, required: false };
}

/** An option that takes one of a few words; it has to be given unless it has a default. */
export function choice<T extends string>(
  option: Described & { choices: readonly T[]; default?: NoInfer<T> },
): CommandOption<T> {
  const read = readBy(Joi.string<T>().valid(...option.choices));
  return { ...option, required: option.default === undefined, read };
}

/** An option that takes "yes" or "no"; it has to be given unless it has a default. */
export const yesOrNo = (meaning: string, usual?: 'yes' | 'no'): CommandOption<'yes' | 'no'> =>
  choice({ value: 'yes-or-no', meaning, choices: ['yes', 'no'], ...(usual && { default: usual }) });

/** Reads an option by a joi schema. The error names the option and what is expected, never the value. */
export const readBy =
  <T>(schema: Joi.Schema<T>): OptionReader<T> =>
  (given, name) => {
    const checked = schema.label(name).required().validate(given);
    if (checked.error) throw new AppError('invalid_command', checked.error.message);
    return checked.value;
  };
