import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { workflows } from '../../mcp/resources/workflows.ts';
import { serverInfo } from '../../mcp/setup/server-info.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { drawDeck } from '../../scripts/demo-deck.ts';
import { pluginFiles } from '../../scripts/installs/plugin-files.ts';
import { serverJson } from '../../scripts/installs/server-json.ts';
import { buildPackages } from '../../scripts/pack/build-packages.ts';
import { packMcpb } from '../../scripts/pack/pack-mcpb.ts';
import { closeAfterTest, createFolderForTest } from '../support/cleanup.ts';
import { tools } from '../support/mcp-parts.ts';
import { root } from '../support/root-folder.ts';
import { ServerJson } from '../support/server-json.ts';

const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

test('the install files for hosts and registries are current and share one version', () => {
  expect(execFileSync(process.execPath, ['scripts/installs.ts', '--check'], { cwd: root, encoding: 'utf8' })).toContain(
    'are current',
  );
  const { version } = json('package.json');
  expect(json('zapier/package.json').version).toBe(version);
  expect(json('server.json')).toMatchObject({ version, packages: [{ version }] });
  expect(json('plugin/.claude-plugin/plugin.json')).toMatchObject({ version });
  expect(json('plugin/plugin.json')).toMatchObject({ version });
  expect(JSON.stringify(pluginFiles)).toContain(`docshare-mcp@${version}`);
});

test('server.json matches its schema, and its description fits every registry', () => {
  expect(ServerJson.parse(serverJson)).toEqual(serverJson);
  expect(serverJson.packages[0]?.environmentVariables.find(({ name }) => name === 'DOCSHARE_API_KEY')).toMatchObject({
    isSecret: true,
  });
  expect(serverInfo.description.length).toBeLessThanOrEqual(100);
});

test('the skills of the plugin follow the open format and name only existing tools', () => {
  const names = readdirSync(join(root, 'plugin/skills')).sort();
  expect(names).toEqual(workflows.map(({ name }) => name.replaceAll('_', '-')).sort());
  for (const name of names) {
    const text = readFileSync(join(root, 'plugin/skills', name, 'SKILL.md'), 'utf8');
    const [, head = '', body = ''] = text.match(/^---\n([\s\S]*?)\n---\n([\s\S]+)$/) ?? [];
    expect(head).toMatch(new RegExp(`^name: ${name}$`, 'm'));
    const description = head.match(/^description: (.+)$/m)?.[1] ?? '';
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(1024);
    const named = [...body.matchAll(/`([a-z]+(?:_[a-z]+)+|find)`/g)].map(([, tool]) => tool);
    const known = [...tools.map((tool) => tool.name), ...workflows.map((job) => job.name)];
    expect(named.filter((tool) => !known.includes(tool ?? ''))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  }
});

test('the .mcpb, unpacked and started as its manifest says, works in a real client', async () => {
  const folder = createFolderForTest('docshare-mcpb-');
  await buildPackages(join(folder, 'packages'), { quality: 5, only: 'docshare-mcp' });
  const bundle = await packMcpb(join(folder, 'packages'));
  const sum = createHash('sha256').update(readFileSync(bundle)).digest('hex');
  expect(readFileSync(`${bundle}.sha256`, 'utf8')).toBe(`${sum}  docshare-mcp.mcpb\n`);
  // The bundle contains no timestamp, so the same files give the same bundle.
  expect(readFileSync(bundle).readUInt32LE(10)).toBe(0x00_21_00_00);
  const installed = join(folder, 'an extension');
  expect(await unpackExtension({ mcpbPath: bundle, outputDir: installed, silent: true })).toBe(true);
  const manifest = JSON.parse(readFileSync(join(installed, 'manifest.json'), 'utf8'));
  expect(manifest.user_config).toMatchObject({ api_key: { sensitive: true }, folder: { type: 'directory' } });
  expect(existsSync(join(installed, manifest.icon))).toBe(true);

  const decks = join(folder, 'my decks');
  mkdirSync(decks);
  writeFileSync(join(decks, 'deck.pdf'), await drawDeck());
  const sandbox = await closeAfterTest(createSandbox({ data: 'empty' }));
  // The code of the host puts the form values into the manifest.
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: installed,
    systemDirs: { HOME: folder },
    userConfig: { base_url: sandbox.url, api_key: sandbox.key(), folder: decks },
    pathSeparator: '/',
  });
  const client = new Client({ name: 't', version: '1' });
  const transport = new StdioClientTransport({
    command: config?.command === 'node' ? process.execPath : (config?.command ?? ''),
    args: config?.args ?? [],
    env: { ...config?.env, HOME: folder },
    cwd: folder,
    stderr: 'ignore',
  });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(
    manifest.tools.map(({ name }: { name: string }) => name).sort(),
  );
  const { structuredContent } = await client.callTool({
    name: 'upload_document',
    arguments: { path: join(decks, 'deck.pdf'), name: 'Deck' },
  });
  await client.close();
  expect(structuredContent).toMatchObject({ id: expect.any(String) });
  expect(sandbox.log.entries().map(({ route }) => route)).toEqual(['POST /documents']);
});
