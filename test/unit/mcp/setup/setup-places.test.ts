/** Where hosts keep their settings on each system, what is put there, and what stands in a link. */
import { describe, expect, test } from 'vitest';
import { getAddCommand, getInstallLink, renderHostConfig } from '../../../../mcp/setup/host-text.ts';
import { createEntry, type HostDefinition, hosts, type LaunchConfig } from '../../../../mcp/setup/hosts.ts';
import { getUserFolders } from '../../../../mcp/setup/user-folders.ts';

const host = (id: string): HostDefinition => {
  const found = hosts.find((one) => one.id === id);
  if (!found) throw new Error(`No host ${id}`);
  return found;
};
const wanted = (more: Partial<LaunchConfig> = {}): LaunchConfig => ({
  command: 'npx',
  args: ['-y', 'docshare-mcp'],
  env: {},
  key: undefined,
  ...more,
});

describe('settings of programs', () => {
  test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string, string]>([
    ['linux', { HOME: '/home/a' }, '/home/a/.config', '/home/a/.config'],
    ['linux', { HOME: '/home/a', XDG_CONFIG_HOME: '/x' }, '/x', '/x'],
    ['linux', { HOME: '/home/a', XDG_CONFIG_HOME: 'x' }, '/home/a/.config', '/home/a/.config'],
    ['darwin', { HOME: '/Users/a' }, '/Users/a/Library/Application Support', '/Users/a/.config'],
    ['win32', { USERPROFILE: 'C:\\Users\\a' }, 'C:\\Users\\a\\AppData\\Roaming', 'C:\\Users\\a\\AppData\\Roaming'],
    ['win32', { USERPROFILE: 'C:\\Users\\a', APPDATA: 'D:\\R', XDG_CONFIG_HOME: 'C:\\x' }, 'D:\\R', 'D:\\R'],
  ])('on %s with %j stand in %s', (platform, env, settings, config) => {
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
    ['lm-studio', 'linux', { HOME: '/h' }, ['/h/.lmstudio/mcp.json', '/h/.cache/lm-studio/mcp.json']],
  ])('of %s on %s with %j', (id, platform, env, files) => {
    expect(host(id).files(getUserFolders(env, platform))).toEqual(files);
  });
});

describe('an entry', () => {
  test('has an environment only where something stands in it, the key among it', () => {
    expect(createEntry(host('cursor'), wanted())).toEqual({ command: 'npx', args: ['-y', 'docshare-mcp'] });
    expect(createEntry(host('vscode'), wanted({ env: { A: '1' }, key: 'k' }))).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'docshare-mcp'],
      env: { A: '1', DOCSHARE_API_KEY: 'k' },
    });
  });
  test('of a server elsewhere holds its address and no key, and a host without one says how it takes it', () => {
    const url = 'https://mcp.test/mcp';
    for (const { createRemoteEntry, remoteNextSteps, getRemoteHelp, title } of hosts) {
      if (createRemoteEntry) {
        expect(JSON.stringify(createRemoteEntry(url))).toContain(url);
        expect(remoteNextSteps).toMatch(/\.$/);
      } else expect(getRemoteHelp?.(url)).toContain(title);
    }
  });
  test('asks for the key in VS Code only where one is needed', () => {
    expect(JSON.parse(renderHostConfig(host('vscode'), wanted({ key: 'k' })))).toHaveProperty('inputs');
    expect(JSON.parse(renderHostConfig(host('vscode'), wanted()))).not.toHaveProperty('inputs');
  });
  test.each(['codex', 'goose'])('in %s’s own form names command and arguments', (id) => {
    const text = renderHostConfig(host(id), wanted({ env: { DOCSHARE_BASE_URL: 'https://a.test/api/v1' }, key: 'k' }));
    expect(text).toContain('docshare');
    expect(text).toContain('npx');
    expect(text).toContain('DOCSHARE_BASE_URL');
  });
  test.each(hosts.map(({ id }) => id))('of %s has a command of the host’s own, or none', (id) => {
    const line = getAddCommand(host(id), wanted({ env: { A: 'x y' }, key: 'k' }), 'linux');
    if (id === 'claude-code')
      expect(line).toBe(
        "claude mcp add --scope user --env 'A=x y' --env DOCSHARE_API_KEY=k --transport stdio docshare -- npx -y docshare-mcp",
      );
    else if (id === 'codex')
      expect(line).toBe("codex mcp add docshare --env 'A=x y' --env DOCSHARE_API_KEY=k -- npx -y docshare-mcp");
    else expect(line).toBeUndefined();
  });
});

describe('a link', () => {
  const query = (link: string | undefined) => new URL(link ?? '').searchParams;
  const key = 'a placeholder';
  test('adds the server to Cursor and LM Studio by its entry', () => {
    for (const id of ['cursor', 'lm-studio']) {
      const config = query(getInstallLink(host(id), wanted({ env: { A: '1' } }))).get('config') ?? '';
      expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({
        command: 'npx',
        args: ['-y', 'docshare-mcp'],
        env: { A: '1' },
      });
    }
  });
  test('has VS Code ask for the key where one is needed', () => {
    const config = (link = '') => JSON.parse(decodeURIComponent(link.split('?')[1] ?? ''));
    expect(config(getInstallLink(host('vscode'), wanted({ key })))).toMatchObject({
      name: 'docshare',
      inputs: [{ id: 'docshare-key', password: true }],
    });
    expect(config(getInstallLink(host('vscode'), wanted()))).not.toHaveProperty('inputs');
  });
  test('has Goose ask for each setting', () => {
    const asked = (more: Partial<LaunchConfig>) =>
      query(getInstallLink(host('goose'), wanted(more)))
        .getAll('env')
        .map((one) => one.split('=')[0]);
    expect(asked({ env: { DOCSHARE_BASE_URL: 'x' }, key })).toEqual(['DOCSHARE_BASE_URL', 'DOCSHARE_API_KEY']);
    expect(asked({})).toEqual([]);
  });
  test('is none where the host knows none', () => {
    expect(getInstallLink(host('zed'), wanted())).toBeUndefined();
  });
});
