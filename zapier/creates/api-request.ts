import type { PlainInputField } from 'zapier-platform-core';
import { textInput } from '../fields/form-fields.ts';
import { describeJsonError, findJsonError } from '../fields/json-input.ts';
import { InputError, parseJsonExact, type RawRequest } from '../platform/client-core.ts';
import { defineAction } from './define-action.ts';

interface Input extends Record<string, unknown> {
  method: RawRequest['method'];
  path: string;
  query?: Record<string, string>;
  body?: string;
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

const body: PlainInputField = {
  key: 'body',
  label: 'Body',
  type: 'code',
  required: false,
  helpText: 'JSON, such as `{"name": "Due Diligence"}`. Leave it empty for GET and DELETE.',
};

/** For people who know the API: the same key, the same limit, and nowhere but under the base URL. */
export const apiRequest = defineAction<Input>({
  key: 'api_request',
  noun: 'API Request',
  label: 'API Request (Advanced)',
  description: 'Creates a request to any address of the Docshare API, for what the other actions do not do.',
  inputFields: [
    {
      key: 'method',
      label: 'Method',
      type: 'string',
      required: true,
      default: 'GET',
      choices: [...METHODS],
      helpText: 'GET reads; the others change something.',
    },
    textInput('path', 'Path', {
      required: true,
      helpText: 'What follows the base URL, such as `/links` or `/analytics/links/lnk_4c8d1x7t`.',
    }),
    {
      key: 'query',
      label: 'Query Parameters',
      dict: true,
      required: false,
      helpText: 'Added to the address after a question mark: the name on the left, the value on the right.',
    },
    body,
  ],
  perform: async (client, { input }) => {
    const { method, path, query } = input;
    if (!METHODS.includes(method)) throw new InputError('Pick a method: GET, POST, PATCH, PUT or DELETE.');
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
      { key: 'text', label: 'Answer as Text', type: 'string' },
      { key: 'body', label: 'Answer' },
    ],
    sample: { status: 200, text: '{"id":"lnk_4c8d1x7t"}', body: { id: 'lnk_4c8d1x7t' } },
  },
});

function parseBody(text: string | undefined): unknown {
  if (text === undefined || text.trim() === '') return undefined;
  const errorIndex = findJsonError(text);
  if (errorIndex !== undefined)
    throw new InputError(
      `The body is not JSON: it ${describeJsonError(text, errorIndex)}. Check its quotes, commas and braces in this step.`,
    );
  return parseJsonExact(text);
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
