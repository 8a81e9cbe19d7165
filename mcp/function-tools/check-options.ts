import { z } from 'zod';
import { InputError } from '../../src/errors.ts';
import { checkOptionNames } from '../../src/option-names.ts';
import { describeIssues } from '../../src/request/build-request.ts';
import type { ToolsOptions } from './tools.ts';

const list = z.array(z.string());
const optionTypes = {
  apiKey: z.string(),
  baseUrl: z.string(),
  approve: z.custom((value) => typeof value === 'function', 'Invalid input: expected function'),
  confirm: z.enum(['auto', 'always']),
  actionsPerHour: z.int().positive(),
  groups: list,
  tools: list,
  exclude: list,
  scopes: list,
  readOnly: z.boolean(),
  files: list,
  state: z.string(),
} satisfies Record<keyof ToolsOptions, z.ZodType>;
const OptionTypes = z.object(optionTypes).partial();

/** @throws InputError for an unknown option or one of the wrong type: a misspelled limit would not limit anything. */
export function checkToolsOptions(options: ToolsOptions): void {
  checkOptionNames('createTools', options, optionTypes);
  const { error } = OptionTypes.safeParse(options);
  if (error) throw new InputError(`createTools: ${describeIssues(error)}`);
}
