import { createFormField } from '../fields/form-fields.ts';
import { describeJsonError, findJsonError } from '../fields/json-input.ts';
import { InputError, parseJsonExact, type RawRequest } from '../platform/client-core.ts';
import { defineAction, type FormInput } from './define-action.ts';

type Input = FormInput<'path', 'body'> & { method: RawRequest['method']; query?: Record<string, string> };

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** Request to any path below the base URL, with the same key and rate limit. */
export const apiRequest = defineAction<Input>({
  key: 'api_request',
  noun: 'API Request',
  label: 'API Request (Advanced)',
  description: 'Sends a request to the Docshare API, for tasks that no other action covers.',
  hidden: true,
  inputFields: [
    {
      key: 'method',
      label: 'Method',
      type: 'string',
      required: true,
      default: 'GET',
      choices: [...METHODS],
      helpText: 'GET reads data. The other methods change data.',
    },
    createFormField('path', 'Path', {
      required: true,
      helpText: 'The part after the base URL, such as `/links` or `/analytics/links/lnk_4c8d1x7t`.',
    }),
    {
      key: 'query',
      label: 'Query Parameters',
      dict: true,
      required: false,
      helpText: 'Parameters for the URL: name on the left, value on the right.',
    },
    createFormField('body', 'Body', {
      type: 'code',
      helpText: 'JSON, such as `{"name": "Due Diligence"}`. Leave empty for GET and DELETE.',
    }),
  ],
  perform: async ({ client, input }) => {
    const { method, path, query } = input;
    if (!METHODS.includes(method))
      throw new InputError('Choose GET, POST, PATCH, PUT or DELETE in the field "Method".');
    const requestBody = parseBody(input.body);
    const response = await client.request({
      method,
      path: path.trim(),
      ...(query ? { query } : {}),
      ...(requestBody === undefined ? {} : { body: requestBody }),
    });
    return { status: response.status, body: response.body ?? null, text: toText(response.body) };
  },
  output: {
    outputFields: [
      { key: 'status', label: 'Status', type: 'integer' },
      { key: 'text', label: 'Response as Text', type: 'string' },
      { key: 'body', label: 'Response' },
    ],
    sample: { status: 200, text: '{"id":"lnk_4c8d1x7t"}', body: { id: 'lnk_4c8d1x7t' } },
  },
});

function parseBody(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  const errorIndex = findJsonError(text);
  if (errorIndex !== undefined)
    throw new InputError(
      `The field "Body" is not valid JSON: it ${describeJsonError(text, errorIndex)}. Check quotes, commas and braces in this step.`,
    );
  return parseJsonExact(text);
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
