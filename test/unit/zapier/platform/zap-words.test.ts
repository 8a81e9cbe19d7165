/** What a person is told of a fault in a step: what may have been done by then, and what to do about it. */
import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  InputError,
  NetworkError,
  NotFoundError,
  PROBLEM_CODES,
  ServerError,
  TimeoutError,
  ValidationError,
} from '../../../../zapier/platform/client-core.ts';
import { clientErrorMessage } from '../../../../zapier/platform/error-messages.ts';
import { toPartialFailureError, toZapierError } from '../../../../zapier/platform/zapier-errors.ts';
import { zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

const { z } = zapStep(() => undefined);
const refusal = (status: number, more: { body?: string; retryAfterMs?: number } = {}) => ({
  status,
  operation: 'links.create',
  scope: 'links:write' as const,
  body: '',
  details: [],
  headers: {},
  ...more,
});

test.each([
  [new TimeoutError('late'), 'pending', 'unknown_outcome'],
  [new TimeoutError('late'), 'done', 'partly_done'],
  [new NetworkError('reset'), 'done', 'partly_done'],
  [new TimeoutError('late'), 'nothing', 'timeout'],
  [new NetworkError('reset'), 'nothing', 'unreachable'],
] as const)('of %s where a write was %s the code is %s', (error, wrote, code) => {
  expect(clientErrorMessage(error, wrote)).toMatchObject({ code });
});

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'The certificate of'],
  ['ERR_TLS_HANDSHAKE_TIMEOUT', 'The certificate of'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'The certificate of'],
  ['UNABLE_TO_GET_ISSUER', 'The certificate of'],
  ['ENOTFOUND', texts.thereIsNoServerAt],
  ['ECONNREFUSED', texts.docshareCouldNotBeReached],
])('%s is told as "%s …"', (code, words) => {
  const problem = { code: 'service_unreachable', origin: 'https://api.test' } as const;
  const error = new NetworkError('x', code, problem);
  expect(clientErrorMessage(error).text).toContain(`${words} https://api.test`);
});

test.each(PROBLEM_CODES)('%s has a message of its own', (code) => {
  const problem = {
    code,
    origin: 'https://api.test',
    status: 403,
    operation: 'links.get',
    field: 'id',
    suggestion: 'url',
  };
  const errors = [new NetworkError('told by the client', undefined, problem), new InputError('told', { problem })];
  for (const { text } of errors.map((error) => clientErrorMessage(error))) expect(text).not.toMatch(/told|undefined/i);
});

test.each([
  [503, {}, 'ThrottledError'],
  [502, { retryAfterMs: 20_000 }, 'ThrottledError'],
  [502, {}, 'Error'],
])('a service that fails with %i and %j is left to %s', (status, more, name) => {
  expect(toZapierError(z, new ServerError('x', refusal(status, more)))).toMatchObject({ name });
});

describe('what stopped a step half-way', () => {
  const stopped = (error: unknown, kept = true) =>
    toPartialFailureError(z, error, { completed: 'The file is uploaded.', isResumable: kept });
  test('is left to Zapier where the key has ended: it goes on when the account is connected again', () => {
    expect(stopped(new AuthenticationError('x', refusal(401)))).toMatchObject({ name: 'ExpiredAuthError' });
    expect(stopped(new AuthenticationError('x', refusal(401)), false)).toMatchObject({ name: 'HaltedError' });
  });
  test.each([
    [new NotFoundError('x', refusal(404, { body: 'Insufficient scope' })), texts.apiKeyLacksPermission],
    [new NotFoundError('x', refusal(404)), texts.docshareRejectedNextPart],
    [new ValidationError('x', refusal(422, { body: 'no' })), texts.docshareRejectedNextPartStatus],
    [new TimeoutError('late'), texts.docshareDidConfirmNext],
    [new NetworkError('cut'), texts.docshareDidConfirmNext],
  ])('is told behind what is done: %s', (error, words) => {
    expect(stopped(error)).toMatchObject({
      message: `The file is uploaded. ${words} Fix this, then replay this run: completed parts are not repeated.`,
    });
  });
});
