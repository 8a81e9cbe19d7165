/** What a log says of a Redis that can't be used: a word for the kind, and nothing of what it quotes. */
import { expect, test } from 'vitest';
import { getRedisErrorCode } from '../../../../mcp/state/redis-error-code.ts';

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
  ['ERR DB index is out of range', 'ERR'],
  ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS'],
  ["ERR Error running script (call to f_12ab): @user_script:7: -OOM command not allowed when 'maxmemory'.", 'OOM'],
  ['ERR Error running script (call to f_12ab): @user_script: 12: READONLY You can’t write.', 'READONLY'],
  ['ERR Error running script (call to f_12ab): @user_script:7: user_script:7: attempt to index', 'ERR'],
  [
    'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: connect ECONNREFUSED ::1',
    'ECONNREFUSED',
  ],
  ['All sentinels are unreachable. Retrying from scratch after 10ms. Last error: getaddrinfo EAI_AGAIN x', 'EAI_AGAIN'],
  [
    'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: NOAUTH Authentication required.',
    'NOAUTH',
  ],
  ['All sentinels are unreachable. Retrying from scratch after 10ms.', undefined],
  ['IT is too short a word', undefined],
  ['HUNTERtwo is none', undefined],
  ['the WRONG place', undefined],
  ['Connection is closed.', undefined],
])('%s', (message, code) => {
  expect(getRedisErrorCode(new Error(message))).toBe(code);
});

test('a code of the system’s comes before the words; a cluster says it of its last node', () => {
  const refused = Object.assign(new Error('NOAUTH of a proxy'), { code: 'ECONNREFUSED' });
  expect(getRedisErrorCode(refused)).toBe('ECONNREFUSED');
  expect(getRedisErrorCode(Object.assign(new Error('CODE of a number'), { code: 7 }))).toBe('CODE');
  const cluster = (lastNodeError: unknown) => Object.assign(new Error('Failed to refresh.'), { lastNodeError });
  expect(getRedisErrorCode(cluster(refused))).toBe('ECONNREFUSED');
  expect(getRedisErrorCode(cluster(null))).toBeUndefined();
  expect(getRedisErrorCode('OOM of no error')).toBeUndefined();
});
