import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../sandbox/index.ts';
import { runCli, unzipArtefact } from './zapier-artefact.ts';

const app = fileURLToPath(new URL('../zapier/', import.meta.url));
let sandbox: Sandbox;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  await unzipArtefact();
  sandbox = await createSandbox();
  env = { authData_apiKey: sandbox.key(), authData_baseUrl: sandbox.url };
});
afterAll(() => sandbox.close());

const invoke = async (...args: string[]) => {
  const printed = await runCli(['invoke', ...args, '--non-interactive'], env);
  const start = printed.search(/^[[{]/m);
  return JSON.parse(printed.slice(start));
};

test('the definition is valid', async () => {
  expect(await runCli(['validate', '--without-style'])).toContain('This project is structurally sound!');
});

test('the connection is tested, and its header derived, by the CLI', async () => {
  expect(await invoke('auth', 'test')).toMatchObject({ host: new URL(sandbox.url).host });
  expect(await invoke('auth', 'template')).toMatchObject({
    supported: true,
    template: { headers: { Authorization: 'Bearer {{bundle.authData.apiKey}}' } },
  });
});

test('a create and a search run by the CLI', async () => {
  const created = await invoke(
    'create',
    'create_contact',
    '-i',
    '{"email":"cli@northwind.example","name":"Cli"}',
  );
  expect(created).toMatchObject({ email: 'cli@northwind.example', name: 'Cli' });
  const [found] = await invoke('search', 'find_document', '-i', '{"name":"deck"}');
  expect(found['name']).toMatch(/deck/i);
});

test('the zip has at most 1.2 MB', () => {
  expect(statSync(`${app}build/build.zip`).size).toBeLessThanOrEqual(1_200_000);
});

test('importing the app takes at most 1.5 times as long as one with no operation', async () => {
  const folder = await unzipArtefact();
  const empty = mkdtempSync(join(folder, 'zapier', 'empty-'));
  try {
    writeFileSync(
      join(empty, 'index.js'),
      "import { defineApp, version } from 'zapier-platform-core';\nexport default defineApp({ version: '1.0.0', platformVersion: version });\n",
    );
    const time = (path: string) => {
      const script = `const at = performance.now(); await import(${JSON.stringify(pathToFileURL(path).href)}); console.log(performance.now() - at);`;
      return Number(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
      );
    };
    const times = Array.from({ length: 5 }, () => ({
      bare: time(join(empty, 'index.js')),
      full: time(`${folder}/zapier/dist/index.js`),
    }));
    const best = (key: 'bare' | 'full') => Math.min(...times.map((one) => one[key]));
    expect(best('full') / best('bare')).toBeLessThanOrEqual(1.5);
  } finally {
    rmSync(empty, { recursive: true });
  }
});
