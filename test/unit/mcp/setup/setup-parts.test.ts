import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { getAddCommand, getInstallLink, renderHostConfig } from '../../../../mcp/setup/host-text.ts';
import { createEntry, type HostDefinition, hosts, type LaunchConfig } from '../../../../mcp/setup/hosts.ts';
import { getLaunchCommand, quoteArgument } from '../../../../mcp/setup/launch-command.ts';
import { getNetworkEnv } from '../../../../mcp/setup/launch-config.ts';
import { createPrompter } from '../../../../mcp/setup/prompter.ts';
import { getUserFolders } from '../../../../mcp/setup/user-folders.ts';
import { collectText } from '../../../support/collect-text.ts';
import { KEY, newHome } from '../../../support/setup-run.ts';

const host = (id: string) => hosts.find((one) => one.id === id) as HostDefinition;
const wanted = (more: Partial<LaunchConfig> = {}): LaunchConfig => ({
  command: 'npx',
  args: ['-y', 'docshare-mcp'],
  env: {},
  key: undefined,
  ...more,
});

describe('settings', () => {
  test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string, string]>([
    ['linux', { HOME: '/home/a' }, '/home/a/.config', '/home/a/.config'],
    ['linux', { HOME: '/home/a', XDG_CONFIG_HOME: '/x' }, '/x', '/x'],
    ['linux', { HOME: '/home/a', XDG_CONFIG_HOME: 'x' }, '/home/a/.config', '/home/a/.config'],
    ['darwin', { HOME: '/Users/a' }, '/Users/a/Library/Application Support', '/Users/a/.config'],
    ['win32', { USERPROFILE: 'C:\\Users\\a' }, 'C:\\Users\\a\\AppData\\Roaming', 'C:\\Users\\a\\AppData\\Roaming'],
    ['win32', { USERPROFILE: 'C:\\Users\\a', APPDATA: 'D:\\R', XDG_CONFIG_HOME: 'C:\\x' }, 'D:\\R', 'D:\\R'],
  ])('on %s with %j are in %s', (platform, env, settings, config) => {
    expect(getUserFolders(env, platform)).toMatchObject({ settings, config, windows: platform === 'win32' });
  });

  test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, readonly string[]]>([
    [
      'claude-desktop',
      'darwin',
      { HOME: '/Users/a' },
      ['/Users/a/Library/Application Support/Claude/claude_desktop_config.json'],
    ],
    ['claude-code', 'linux', { HOME: '/h' }, ['/h/.claude.json']],
    ['claude-code', 'linux', { HOME: '/h', CLAUDE_CONFIG_DIR: '/c' }, ['/c/.claude.json']],
    ['codex', 'linux', { HOME: '/h' }, ['/h/.codex/config.toml']],
    ['codex', 'linux', { HOME: '/h', CODEX_HOME: '/c' }, ['/c/config.toml']],
    ['zed', 'linux', { HOME: '/h' }, ['/h/.config/zed/settings.json']],
    ['zed', 'win32', { USERPROFILE: 'C:\\a' }, ['C:\\a\\AppData\\Roaming\\Zed\\settings.json']],
    ['goose', 'linux', { HOME: '/h' }, ['/h/.config/goose/config.yaml']],
    ['goose', 'win32', { USERPROFILE: 'C:\\a' }, ['C:\\a\\AppData\\Roaming\\Block\\goose\\config\\config.yaml']],
    ['vscode', 'win32', { USERPROFILE: 'C:\\a' }, ['C:\\a\\AppData\\Roaming\\Code\\User\\mcp.json']],
    [
      'devin-desktop',
      'win32',
      { USERPROFILE: 'C:\\a' },
      ['C:\\a\\AppData\\Roaming\\devin\\mcp_config.json', 'C:\\a\\.codeium\\windsurf\\mcp_config.json'],
    ],
    [
      'opencode',
      'win32',
      { USERPROFILE: 'C:\\a' },
      ['json', 'jsonc'].map((end) => `C:\\a\\.config\\opencode\\opencode.${end}`),
    ],
    ['copilot', 'linux', { HOME: '/h' }, ['/h/.copilot/mcp-config.json']],
    ['continue', 'linux', { HOME: '/h' }, ['/h/.continue/mcpServers/docshare.json']],
    ['lm-studio', 'linux', { HOME: '/h' }, ['/h/.lmstudio/mcp.json', '/h/.cache/lm-studio/mcp.json']],
  ])('of %s on %s with %j', (id, platform, env, files) => {
    expect(host(id).files(getUserFolders(env, platform))).toEqual(files);
  });
});

describe('an entry', () => {
  test('has an environment only if it is not empty, including the key', () => {
    expect(createEntry(host('cursor'), wanted())).toEqual({ command: 'npx', args: ['-y', 'docshare-mcp'] });
    expect(createEntry(host('vscode'), wanted({ env: { A: '1' }, key: 'k' }))).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'docshare-mcp'],
      env: { A: '1', DOCSHARE_API_KEY: 'k' },
    });
  });
  test('asks for the key in VS Code only if it is needed', () => {
    expect(JSON.parse(renderHostConfig(host('vscode'), wanted({ key: 'k' })))).toHaveProperty('inputs');
    expect(JSON.parse(renderHostConfig(host('vscode'), wanted()))).not.toHaveProperty('inputs');
  });
});

const COMMANDS: Readonly<Record<string, RegExp>> = {
  'claude-code':
    /^claude mcp add --scope user --env 'A=x y' --env DOCSHARE_API_KEY=k --transport stdio docshare -- npx -y docshare-mcp$/,
  codex: /^codex mcp add docshare --env 'A=x y' --env DOCSHARE_API_KEY=k -- npx -y docshare-mcp$/,
  copilot: /^copilot mcp add docshare --env .* -- npx -y docshare-mcp$/,
};
test.each(hosts.map(({ id }) => id))('%s has its own command to add the server, or none', (id) => {
  expect(getAddCommand(host(id), wanted({ env: { A: 'x y' }, key: 'k' }), 'linux') ?? '').toMatch(COMMANDS[id] ?? /^$/);
  // PowerShell would expand it.
  expect(getAddCommand(host(id), wanted({ key: `\${DOCSHARE_API_KEY}` }), 'win32')).toBeUndefined();
});

test('an install link makes Goose ask for each setting', () => {
  const asked = (more: Partial<LaunchConfig>) =>
    new URL(getInstallLink(host('goose'), wanted(more)) ?? '').searchParams
      .getAll('env')
      .map((one) => one.split('=')[0]);
  const settings = { env: { DOCSHARE_BASE_URL: 'x' }, key: 'a placeholder' };
  expect([asked(settings), asked({})]).toEqual([['DOCSHARE_BASE_URL', 'DOCSHARE_API_KEY'], []]);
});

const from = { node: process.execPath, version: '1.2.3', platform: 'linux', env: {} } as const;

test('a host starts the installed program, or this version with npx if a package runner fetched it', () => {
  const installed = '/usr/lib/node_modules/docshare-mcp/main.js';
  expect(getLaunchCommand({ ...from, main: installed })).toEqual({ command: process.execPath, args: [installed] });
  const npx = { command: 'npx', args: ['-y', 'docshare-mcp@1.2.3'] };
  for (const temporary of [
    '/home/ada/.npm/_npx/0a1b2c/node_modules/.bin/docshare-mcp',
    '/home/ada/.cache/pnpm/dlx-12345/node_modules/docshare-mcp/main.js',
    '/tmp/bunx-0-docshare-mcp/node_modules/.bin/docshare-mcp',
  ])
    expect(getLaunchCommand({ ...from, main: temporary })).toEqual(npx);
  expect(getLaunchCommand({ ...from, platform: 'win32', main: 'C:\\Users\\a\\_npx\\0a1b\\main.js' })).toEqual({
    command: 'cmd',
    args: ['/c', 'npx', '-y', 'docshare-mcp@1.2.3'],
  });
});

test('the command uses the link to Node in PATH, which survives an update, and no relative path', () => {
  const home = newHome();
  symlinkSync(process.execPath, join(home, 'node'));
  const env = { PATH: `/nowhere:${relative('', home)}:${home}` };
  const { command } = getLaunchCommand({ ...from, main: '/x/main.js', env });
  expect(command).toBe(join(home, 'node'));
});

test('a host starts npx by its path, with Node in PATH, and without the temporary path of a shell', () => {
  const home = newHome();
  writeFileSync(join(home, 'npx-cli.js'), '');
  mkdirSync(join(home, 'fnm_multishells/1'), { recursive: true });
  symlinkSync(process.execPath, join(home, 'fnm_multishells/1/node'));
  const env = { npm_execpath: join(home, 'npm-cli.js'), PATH: join(home, 'fnm_multishells/1') };
  const node = realpathSync(process.execPath);
  expect(getLaunchCommand({ ...from, env, main: '/home/ada/.npm/_npx/0a1b/node_modules/.bin/docshare-mcp' })).toEqual({
    command: node,
    args: [join(home, 'npx-cli.js'), '-y', 'docshare-mcp@1.2.3'],
    env: { PATH: `${dirname(node)}:/usr/bin:/bin` },
  });
});

test.each([
  ['linux', '--', '--'],
  ['linux', "it's", "'it'\\''s'"],
  ['win32', '--', '"--"'],
  ['win32', 'C:\\Program Files\\node.exe', '"C:\\Program Files\\node.exe"'],
  ['win32', 'a&b', '"a&b"'],
  ['win32', 'C:\\node.exe', 'C:\\node.exe'],
] as const)('on %s, %s is quoted as %s', (platform, word, typed) => {
  expect(quoteArgument(word, platform)).toBe(typed);
});

test('the entry has the proxy and certificates of this machine, but no password of a proxy', () => {
  const env = { NODE_EXTRA_CA_CERTS: '/etc/ca.pem', https_proxy: 'http://proxy:1', HTTP_PROXY: 'http://me:pw@proxy:1' };
  expect(getNetworkEnv(env)).toEqual({
    networkEnv: { NODE_EXTRA_CA_CERTS: '/etc/ca.pem', HTTPS_PROXY: 'http://proxy:1' },
    omitted: ['HTTP_PROXY'],
  });
});

test.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [false, false, false],
])('with a terminal for input (%s) and output (%s) the prompter is interactive: %s', (input, output, isInteractive) => {
  const terminal = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  expect(createPrompter(terminal(input), terminal(output)).isInteractive).toBe(isInteractive);
});

test('an input that ends without a line is an empty answer', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: false });
  input.end();
  expect(await createPrompter(input, new PassThrough()).ask('Base URL: ')).toBe('');
});
test('in a terminal the prompt stays visible while the user types, and a secret is not shown', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const getShown = collectText(output);
  const prompter = createPrompter(input, output);
  const url = prompter.ask('Base URL: ');
  input.write('https://d.example\r');
  expect(await url).toBe('https://d.example');
  // This control sequence clears the line before the prompt.
  expect(getShown().split('\u001b[0J').at(-1)).toContain('Base URL: ');
  const key = prompter.ask('API key: ', { secret: true });
  input.write(`${KEY}\r`);
  expect(await key).toBe(KEY);
  expect(getShown()).toContain('API key: ');
  expect(getShown()).not.toContain(KEY);
});
