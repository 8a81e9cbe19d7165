import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StateConfigError } from '../../../../mcp/state/encryptor.ts';
import { openHostedState } from '../../../../mcp/state/open-hosted-state.ts';
import { parseRedisUrl } from '../../../../mcp/state/redis-config.ts';
import { openRedisConnection } from '../../../../mcp/state/redis-connection.ts';
import { getRedisErrorCode } from '../../../../mcp/state/redis-error-code.ts';
import { getStateFolder } from '../../../../mcp/state/state-folder.ts';
import { closeAfterTest } from '../../../support/cleanup.ts';

const at = (host: string, port = 6379) => [{ host, port }];

test.each<[string, object]>([
  ['redis://a', { kind: 'single', nodes: at('a'), tls: false }],
  [' REDISS://a:7000/3 ', { kind: 'single', nodes: at('a', 7000), tls: true, db: 3 }],
  ['redis://a?db=4', { kind: 'single', nodes: at('a'), tls: false, db: 4 }],
  ['redis://[::1]:7000', { kind: 'single', nodes: at('::1', 7000), tls: false }],
  ['redis://word@a', { kind: 'single', nodes: at('a'), tls: false, password: 'word' }],
  ['redis://me:a%40b:c@a', { kind: 'single', nodes: at('a'), tls: false, username: 'me', password: 'a@b:c' }],
  ['redis://:word@a', { kind: 'single', nodes: at('a'), tls: false, password: 'word' }],
  [
    'redis-sentinel://a,b:7/main?db=2&sentinel_password=w',
    {
      ...{ kind: 'sentinel', nodes: [...at('a', 26_379), ...at('b', 7)], tls: false, master: 'main', db: 2 },
      sentinelPassword: 'w',
    },
  ],
  ['rediss-cluster://a,b', { kind: 'cluster', nodes: [...at('a'), ...at('b')], tls: true }],
  ['redis-cluster://a?db=0', { kind: 'cluster', nodes: at('a'), tls: false, db: 0 }],
])('%s is parsed', (text, address) => {
  expect(parseRedisUrl(text)).toEqual(address);
});

test.each([
  ...['', 'a:6379', 'http://a', 'redis://', 'redis://a,b', 'redis://a/x', 'redis://a/12345', 'redis://a#x'],
  ...['redis://a:0', 'redis://a:65536', 'redis://a?user=x', 'redis://me:%zz@a', 'redis-sentinel://a'],
  ...['redis-cluster://a/main', 'redis-cluster://a?db=1', 'redis://secret@b@a'],
])('%s is rejected with the valid forms, and is not quoted', (text) => {
  const read = () => parseRedisUrl(text);
  expect(read).toThrow(StateConfigError);
  expect(read).toThrow(/^DOCSHARE_REDIS_URL must be redis:/);
  expect(read).not.toThrow('secret');
});

describe('a server', () => {
  const secrets = ['s'.repeat(32), 't'.repeat(32)];
  const options = { onStatusChange: () => undefined, onFailure: () => undefined };

  test('without Redis or a folder signs with its first secret, so that signatures survive a restart', async () => {
    const secretOf = async (own: readonly string[]) =>
      (await openHostedState({ ...options, secrets: own })).secret.toString('hex');
    expect(await secretOf(secrets)).toBe(await secretOf(secrets));
    expect(await secretOf(secrets)).not.toBe(await secretOf(secrets.toReversed()));
    await expect(secretOf([])).rejects.toThrow(StateConfigError);
  });

  test.each([
    [undefined, 4],
    [2, 4],
    [6, 6],
  ])('with at least %s replicas uses a share of %i until it sees others', async (replicas, counted) => {
    const link = await closeAfterTest(
      openRedisConnection({
        address: parseRedisUrl('redis://127.0.0.1:1'),
        secrets: ['s'.repeat(32)],
        ...{ holdMs: 0, onUp: async () => undefined },
        replicas,
      }),
    );
    expect(link.getStatus()).toMatchObject({ up: false, hasConnected: false, replicas: counted });
    await expect(link.runCommand(async () => 1)).rejects.toMatchObject({ code: 'state_unavailable' });
  });
});

test.each([
  ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
  ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS'],
  ["ERR Error running script (call to f_12ab): @user_script:7: -OOM command not allowed when 'maxmemory'.", 'OOM'],
  ['ERR Error running script (call to f_12ab): @user_script: 12: READONLY You can’t write.', 'READONLY'],
  [
    'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: connect ECONNREFUSED ::1',
    'ECONNREFUSED',
  ],
  [
    'All sentinels are unreachable. Retrying from scratch after 10ms. Last error: NOAUTH Authentication required.',
    'NOAUTH',
  ],
  ['All sentinels are unreachable. Retrying from scratch after 10ms.', undefined],
  ['IT is too short a word', undefined],
  ['HUNTERtwo is none', undefined],
  ['Connection is closed.', undefined],
])('the error code of "%s" is %s', (message, code) => {
  expect(getRedisErrorCode(new Error(message))).toBe(code);
});

test('a system error code has priority over the message, and a cluster reports the code of its last node', () => {
  const refused = Object.assign(new Error('NOAUTH of a proxy'), { code: 'ECONNREFUSED' });
  expect(getRedisErrorCode(refused)).toBe('ECONNREFUSED');
  expect(getRedisErrorCode(Object.assign(new Error('CODE of a number'), { code: 7 }))).toBe('CODE');
  const cluster = (lastNodeError: unknown) => Object.assign(new Error('Failed to refresh.'), { lastNodeError });
  expect(getRedisErrorCode(cluster(refused))).toBe('ECONNREFUSED');
  expect(getRedisErrorCode(cluster(null))).toBeUndefined();
  expect(getRedisErrorCode('OOM of no error')).toBeUndefined();
});

test('the state folder follows the convention of each system', () => {
  expect(getStateFolder({ HOME: '/h' }, 'linux')).toBe('/h/.local/state/docshare');
  expect(getStateFolder({ HOME: '/h', XDG_STATE_HOME: '/s' }, 'linux')).toBe('/s/docshare');
  expect(getStateFolder({ HOME: '/h', XDG_STATE_HOME: 'relative' }, 'linux')).toBe('/h/.local/state/docshare');
  expect(getStateFolder({}, 'linux')).toBe(join(homedir(), '.local/state/docshare'));
  expect(getStateFolder({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/docshare');
  expect(getStateFolder({ HOME: 'h', LOCALAPPDATA: 'l' }, 'win32')).toBe(join('l', 'docshare'));
});
