import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { mcpMain } from '../../support/entry.ts';
import {
  BASE_URL,
  fileIn,
  hosts,
  KEY,
  newHome,
  nobody,
  setup,
  setupProcess,
  writeIn,
} from '../../support/setup-run.ts';
import { texts } from '../texts.ts';

const HOST_FILES: Readonly<Record<string, string>> = {
  'claude-desktop': `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/ada/Desktop"]
    }
  },
  "preferences": { "menuBarEnabled": false }
}
`,
  // Written by the program itself: two spaces, no line break at the end.
  'claude-code': JSON.stringify(
    {
      numStartups: 184,
      theme: 'dark',
      mcpServers: { linear: { type: 'http', url: 'https://mcp.linear.app/mcp' } },
      projects: { '/Users/ada/decks': { allowedTools: [], mcpServers: {}, history: [{ display: '{"a": 1}' }] } },
      oauthAccount: { emailAddress: 'ada@example.com' },
    },
    null,
    2,
  ),
  cursor: '{\n\t"mcpServers": {\n\t\t"github": { "url": "https://api.githubcopilot.com/mcp/" }\n\t}\n}\n',
  // JSON with comments, trailing commas, CRLF, as on Windows.
  vscode: [
    '// My servers',
    '{',
    '    "inputs": [',
    '        { "type": "promptString", "id": "gh", "description": "GitHub token", "password": true }, // keep',
    '    ],',
    '    "servers": {',
    '        "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" }, /* the official one */',
    '    },',
    '}',
    '',
  ].join('\r\n'),
  'lm-studio': '{\n  "mcpServers": {}\n}',
  gemini: `{
  // Signed in with Google
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "ui": { "theme": "GitHub" }
}
`,
  zed: `// Zed settings
//
// For information on how to configure Zed, see the Zed documentation: https://zed.dev/docs/configuring-zed
{
  "ui_font_size": 16,
  "context_servers": {
    "postgres": {
      "source": "custom",
      "command": "postgres-mcp",
      "args": [],
      "env": {},
    },
    // "old": { "command": "x" },
  },
  "theme": { "mode": "system", "light": "One Light", "dark": "One Dark" },
}
`,
  qwen: '{\n  "ui": { "theme": "Qwen Dark" }\n}\n',
  copilot:
    '{\n  "mcpServers": { "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/", "tools": ["*"] } }\n}',
  opencode:
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": { "exa": { "type": "remote", "url": "https://mcp.exa.ai/mcp" } },\n}\n',
  cline: '{\n  "mcpServers": {}\n}',
  continue: '{ "mcpServers": { "docs": { "command": "npx", "args": ["docs"] } } }',
  'devin-desktop': '\uFEFF{"mcpServers":{"figma":{"serverUrl":"http://127.0.0.1:3845/mcp"}}}',
};

const read = (file: string) => readFileSync(file, 'utf8');
const edited = hosts.filter(({ form }) => form === 'json').map(({ id }) => id);

test('every host whose file setup edits has a real file here', () => {
  expect(Object.keys(HOST_FILES).sort()).toEqual([...edited].sort());
});

test.each(edited)(
  '%s: two setups add one entry, removing it restores every byte, and a new file is private',
  async (id) => {
    const home = newHome();
    const before = HOST_FILES[id] ?? '';
    const file = writeIn(home, id, before);
    // Wider than the mode that a umask allows for a new file.
    chmodSync(file, 0o660);
    expect(await setup(home, [id, '--yes', '--files', '/my "decks"'])).toMatchObject({
      code: 0,
      out: expect.stringContaining(texts.addedTheServerTo),
    });
    const once = read(file);
    const host = hosts.find((one) => one.id === id);
    const settings = parse(once.replace('\uFEFF', ''), [], { allowTrailingComma: true });
    const entry = settings[host?.serversKey ?? ''].docshare;
    const [command, ...args] = [entry.command, entry.args ?? []].flat(2);
    expect(args).toEqual([mcpMain, '--files', '/my "decks"']);
    expect(entry[host?.envField ?? '']).toMatchObject({ DOCSHARE_BASE_URL: BASE_URL });
    expect(existsSync(command)).toBe(true);
    expect(once.includes(KEY)).toBe(id !== 'vscode');
    expect(Object.keys(settings[host?.serversKey ?? ''])).toContain('docshare');
    expect((await setup(home, [id, '--yes', '--files', '/my "decks"'])).out).toContain(texts.alreadyHasTheServer);
    expect(read(file)).toBe(once);
    expect(await setup(home, [])).toMatchObject({ out: expect.stringMatching(new RegExp(`${id} +has the server`)) });
    expect((await setup(home, [id, '--remove', '--yes'])).code).toBe(0);
    expect(read(file)).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o660);
    expect(readdirSync(dirname(file)).filter((name) => /docshare-|tmp$/.test(name))).toEqual([]);
    rmSync(file);
    expect((await setup(home, [id, '--yes'])).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await setup(home, [id, '--remove', '--yes'])).code).toBe(0);
    expect(existsSync(file)).toBe(false);
  },
);

test('without a terminal nothing changes, and setup prints the next step', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', HOST_FILES['cursor'] ?? '');
  const { code, out } = await setup(home, ['cursor']);
  expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('--yes') });
  expect(out).toContain('(your key)');
  expect(read(file)).toBe(HOST_FILES['cursor']);
});

test('a new key replaces the old one, and everything else in the entry and the file is kept', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', HOST_FILES['cursor'] ?? '');
  await setup(home, ['cursor', '--yes']);
  writeFileSync(
    file,
    read(file)
      .replace('"docshare": {', '"docshare": {\n\t\t\t"disabled": true, // for now')
      .replace('"env": {', '"env": {\n\t\t\t\t"HTTPS_PROXY": "http://proxy:8080",'),
  );
  await setup(home, ['cursor', '--yes', '--read-only'], { env: { DOCSHARE_API_KEY: 'dsk_new' } });
  const text = read(file);
  expect(text).toContain('// for now');
  expect(parse(text).mcpServers.docshare).toMatchObject({
    disabled: true,
    args: [mcpMain, '--read-only'],
    env: { HTTPS_PROXY: 'http://proxy:8080', DOCSHARE_API_KEY: 'dsk_new' },
  });
  await setup(home, ['cursor', '--remove', '--yes']);
  expect(parse(read(file))).toEqual(parse(HOST_FILES['cursor'] ?? ''));
});

test('an entry for a hosted server becomes a local one, without the old URL', async () => {
  const home = newHome();
  const file = writeIn(
    home,
    'devin-desktop',
    '{"mcpServers":{"docshare":{"serverUrl":"https://x.example/mcp","headers":{"a":"b"},"disabledTools":["delete_link"]}}}',
  );
  await setup(home, ['windsurf', '--yes', '--sandbox'], { env: { DOCSHARE_API_KEY: '', DOCSHARE_BASE_URL: '' } });
  const { docshare } = JSON.parse(read(file)).mcpServers;
  expect(docshare).toEqual({
    disabledTools: ['delete_link'],
    command: expect.any(String),
    args: [mcpMain, '--sandbox'],
  });
});

test('removing the server keeps later changes of the file', async () => {
  const home = newHome();
  const file = writeIn(home, 'zed', HOST_FILES['zed'] ?? '');
  await setup(home, ['zed', '--yes']);
  writeFileSync(file, read(file).replace('"ui_font_size": 16', '"ui_font_size": 18'));
  await setup(home, ['zed', '--remove', '--yes']);
  expect(read(file)).toBe(HOST_FILES['zed']?.replace('16', '18'));
});

test.each([
  ['broken', '{ "mcpServers": { "a": ', /line 1, column \d+/],
  ['an array', '[]', /not a JSON object/],
  ['JSON with a duplicate name', '{"mcpServers": {}, "mcpServers": {"x": {}}}', /twice/],
  ['JSON with an array instead of servers', '{"mcpServers": ["x"]}', /mcpServers/],
  ['nested too deeply', `{"a":${'['.repeat(200_000)}`, /Nothing was changed/],
  ['Latin-1', Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
  ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), /UTF-8|line 1/],
])('a file that is %s is rejected with its position and left unchanged', async (_, text, words) => {
  const home = newHome();
  const file = writeIn(home, 'cursor', text);
  const bytes = readFileSync(file);
  for (const args of [
    ['cursor', '--yes'],
    ['cursor', '--remove', '--yes'],
  ]) {
    const { code, out } = await setup(home, args);
    expect(code === 0 ? out : 'refused').toMatch(code === 0 ? /does not have the server/ : 'refused');
    if (!args.includes('--remove')) expect(out).toMatch(words);
  }
  expect(readFileSync(file)).toEqual(bytes);
  expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
});

test('a read-only file, a folder and a dangling link are rejected, and a valid link is followed', async () => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}');
  chmodSync(file, 0o444);
  expect(await setup(home, ['cursor', '--yes'])).toMatchObject({ code: 1, out: expect.stringContaining('read-only') });
  rmSync(file);
  symlinkSync(join(home, 'nowhere.json'), file);
  expect(await setup(home, ['cursor', '--yes'])).toMatchObject({ code: 1, out: expect.stringContaining('link') });
  rmSync(file);
  await mkdir(file);
  expect(await setup(home, ['cursor', '--yes'])).toMatchObject({ code: 1, out: expect.stringContaining('not a file') });
  rmSync(file, { recursive: true });
  const real = join(home, 'real settings.json');
  writeFileSync(real, '{}\n');
  symlinkSync(real, file);
  expect((await setup(home, ['cursor', '--yes'])).code).toBe(0);
  expect(read(real)).toContain('docshare');
  expect((await setup(home, ['cursor', '--remove', '--yes'])).code).toBe(0);
  expect(read(real)).toBe('{}\n');
  expect(read(file)).toBe('{}\n');
});

test('parallel setups result in one entry and one backup of the original file', async () => {
  const home = newHome();
  const before = HOST_FILES['claude-code'] ?? '';
  const file = writeIn(home, 'claude-code', before);
  const outcomes = await Promise.all(
    ['a', 'b', 'c', 'd'].map((key) => setupProcess(home, ['claude-code', '--yes'], { DOCSHARE_API_KEY: `dsk_${key}` })),
  );
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(read(file).match(/"docshare": \{/g)).toHaveLength(1);
  expect(read(`${file}.before-docshare`)).toBe(before);
  await setup(home, ['claude-code', '--remove', '--yes']);
  expect(read(file)).toBe(before);
});

test('a key is never written into a file of a repository', async () => {
  const home = newHome();
  execFileSync('git', ['init', '-q', join(home, 'dotfiles')]);
  const real = join(home, 'dotfiles', 'mcp.json');
  writeFileSync(real, '{}');
  await mkdir(join(home, '.cursor'));
  symlinkSync(real, fileIn(home, 'cursor'));
  expect(await setup(home, ['cursor', '--yes'])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/Git repository.*--env-key/s),
  });
  expect(read(real)).toBe('{}');
  expect((await setup(home, ['cursor', '--yes', '--env-key'])).code).toBe(0);
  expect(JSON.parse(read(real)).mcpServers.docshare.env.DOCSHARE_API_KEY).toBe(`\${env:DOCSHARE_API_KEY}`);
});

const userWho = (confirms: boolean) => ({
  ...nobody,
  isInteractive: true,
  ask: async () => '',
  confirm: async () => confirms,
});

test.each([
  [true, 0],
  [false, 1],
])('a user who confirms (%s) or not decides about a change and its removal: exit code %i', async (confirms, code) => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}\n');
  const put = await setup(home, ['cursor'], { person: userWho(confirms) });
  expect([put.code, read(file) === '{}\n']).toEqual([code, !confirms]);
  await setup(home, ['cursor', '--yes']);
  const removed = await setup(home, ['cursor', '--remove'], { person: userWho(confirms) });
  expect([removed.code, read(file) === '{}\n']).toEqual([code, confirms]);
});

test.each([
  ['its group', 0o640],
  ['everybody', 0o604],
])('if %s can read a key in the file, setup says so and prints the chmod command', async (_, mode) => {
  const home = newHome();
  const file = writeIn(home, 'cursor', '{}');
  chmodSync(file, mode);
  const { out } = await setup(home, ['cursor', '--yes']);
  expect(out).toContain(texts.otherUsersMachineRead);
  expect(out).toContain(`chmod 600 ${file}`);
  expect((await setup(home, ['cursor', '--yes', '--env-key'])).out).not.toContain(texts.otherUsersOfThisMachine);
  chmodSync(file, 0o600);
  expect((await setup(home, ['cursor', '--yes'])).out).not.toContain(texts.otherUsersOfThisMachine);
});

test.each([
  ['stays while another server uses it', `\${input:docshare-key}`, 1],
  ['is removed with the last server that uses it', 'a key of its own', 0],
])('the input for the key %s', async (_, KEY, count) => {
  const home = newHome();
  const servers = { docshare: { command: 'npx' }, mine: { command: 'npx', env: { KEY } } };
  const file = writeIn(home, 'vscode', JSON.stringify({ servers, inputs: [{ id: 'docshare-key' }] }));
  await setup(home, ['vscode', '--remove', '--yes']);
  const left = JSON.parse(read(file));
  expect(Object.keys(left.servers)).toEqual(['mine']);
  expect(left.inputs).toHaveLength(count);
});
