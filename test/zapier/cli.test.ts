import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { runCli, unzipArtefact } from '../world/zapier-artefact.ts';

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
  const [found] = await invoke('search', 'find_document', '-i', '{"name":"deck","match":"contains"}');
  expect(found['name']).toMatch(/deck/i);
});
