import type { JsonObject } from '../../src/answer/fields.ts';
import { UnexpectedResponseError } from '../../src/errors.ts';
import { effectOf, listOf, type Tool, type ToolAnswer } from '../contract/tool.ts';

/**
 * What a write answers that the service took (2xx) with words instead of data: it happened, so that it is no failure and
 * nobody is invited to do it twice. Undefined for any other error, and for tools of several steps, which know better.
 */
export function takenAnswer(
  error: unknown,
  { tool, args }: { tool: Tool; args: JsonObject },
): ToolAnswer | undefined {
  const taken = error instanceof UnexpectedResponseError && error.status >= 200 && error.status < 300;
  if (!taken || tool.operations.length > 1) return undefined;
  // A web page is what a wrong base URL answers to everything: nobody took anything.
  if (/^\s*</.test(error.excerpt)) return undefined;
  const effect = effectOf(tool);
  const did = effect === 'send' ? 'sent' : effect === 'delete' ? 'deleted' : 'done';
  const list = listOf(tool);
  return {
    data: {
      [did]: true,
      ...(effect !== 'create' && args['id'] !== undefined ? { id: args['id'] } : {}),
      ...(error.excerpt === '' ? {} : { service_said: error.excerpt }),
      next: `The service took it (status ${error.status}), but its answer could not be read. Do not repeat it${list === undefined ? '' : `; ${list} shows what came of it`}.`,
    },
    own: ['id', 'next'],
  };
}
