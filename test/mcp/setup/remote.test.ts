import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hosts, KEY, newHome, setup, writeIn } from '../../support/setup-run.ts';
import { texts } from '../texts.ts';

const URL = 'https://mcp.example.com/mcp';

test.each([
  ['claude-code', 'mcpServers', { type: 'http', url: URL }],
  ['cursor', 'mcpServers', { url: URL }],
  ['vscode', 'servers', { type: 'http', url: URL }],
  ['gemini', 'mcpServers', { httpUrl: URL }],
  ['zed', 'context_servers', { url: URL }],
  ['devin-desktop', 'mcpServers', { url: URL }],
])('%s gets its entry without a key, and setup removes it again', async (id, at, entry) => {
  const home = newHome();
  const before = '{\n  // mine\n  "other": 1\n}\n';
  const file = writeIn(home, id, before);
  // A URL without its path works too, because users often get the URL of the site.
  const done = await setup(home, [id, '--url', 'https://mcp.example.com', '--yes']);
  expect(done.code, done.out).toBe(0);
  expect(done.out.trim()).toMatch(/[\w)]\.$/);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('// mine');
  expect(text).not.toContain(KEY);
  expect(JSON.parse(text.replace('// mine', ''))).toEqual({ other: 1, [at]: { docshare: entry } });
  expect((await setup(home, [id, '--url', URL, '--yes'])).out).toContain(texts.alreadyHasTheServer);
  expect((await setup(home, [id, '--remove', '--yes'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.each([
  ['codex', '[mcp_servers.docshare]\nurl = "https://mcp.example.com/mcp"'],
  ['goose', '    type: "streamable_http"'],
  ['goose', '    uri: "https://mcp.example.com/mcp"'],
])('%s gets instructions: %s', async (id, words) => {
  const { code, out } = await setup(newHome(), [id, '--url', URL]);
  expect([code, out]).toEqual([2, expect.stringContaining(words)]);
});

test('the command and the link have the same settings', async () => {
  const { out } = await setup(newHome(), ['claude-code', '--url', URL, '--print']);
  expect(out).toContain(`claude mcp add --scope user --transport http docshare ${URL}`);
  const cursor = await setup(newHome(), ['cursor', '--url', URL, '--print']);
  const [, packed = ''] = /config=([\w%=]+)/.exec(cursor.out) ?? [];
  expect(JSON.parse(Buffer.from(decodeURIComponent(packed), 'base64').toString())).toEqual({ url: URL });
});

test('a local and a remote entry replace each other completely', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}');
  const entry = () => JSON.parse(readFileSync(file, 'utf8')).mcpServers.docshare;
  await setup(home, ['cursor', '--yes']);
  expect(entry()).toMatchObject({ command: expect.any(String), env: expect.any(Object) });
  await setup(home, ['cursor', '--url', URL, '--yes']);
  expect(entry()).toEqual({ url: URL });
  await setup(home, ['cursor', '--yes']);
  expect(Object.keys(entry()).sort()).toEqual(['args', 'command', 'env']);
});

test('for a host that cannot have a remote server in its file, setup prints what to do and changes nothing', async () => {
  for (const { id } of hosts.filter(({ createRemoteEntry }) => !createRemoteEntry)) {
    const { code, out } = await setup(newHome(), [id, '--url', URL, '--yes']);
    expect([code, out]).toEqual([1, expect.stringContaining('Nothing was changed')]);
  }
  const desktop = await setup(newHome(), ['claude-desktop', '--url', URL]);
  expect(desktop.out).toContain(`Add custom connector, with the URL ${URL}`);
});

test.each<[readonly string[], string, string?]>([
  [['--url', 'http://mcp.example.com/mcp'], 'https://'],
  [['--url', 'https://ada:pw@mcp.example.com/mcp'], 'must not contain a user name'],
  [['--url', 'https://mcp.example.com/mcp?key=x'], texts.mustNotContainAQuery],
  [['--url', URL, '--read-only'], texts.readCantCombinedUrl],
  [['--url', URL, '--base-url', 'https://a/api/v1'], texts.baseUrlCantCombined],
  [['--url', URL, '--sandbox'], texts.sandboxCantCombinedUrl],
  [['--url', 'https://mcp.example.com/$HOME'], texts.wouldReplaceAPart, 'gemini'],
])('rejects %j', async (args, words, id = 'cursor') => {
  const { code, out } = await setup(newHome(), [id, '--yes', ...args]);
  expect([code, out]).toEqual([1, expect.stringContaining(words)]);
});
