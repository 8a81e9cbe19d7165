import { beforeAll, expect, test } from 'vitest';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { runCommands, unzipArtefact } from '../support/zapier-artefact.ts';

const COMMANDS = {
  validate: ['validate', '--without-style'],
  test: ['invoke', 'auth', 'test', '--non-interactive'],
  template: ['invoke', 'auth', 'template', '--non-interactive'],
  create: [
    ...['invoke', 'create', 'create_contact', '-i'],
    '{"email":"cli@northwind.example","name":"Cli"}',
    '--non-interactive',
  ],
  search: [...['invoke', 'search', 'find_document', '-i'], '{"name":"deck","match":"contains"}', '--non-interactive'],
};

const sandbox = await closeAfterAll(createSandbox());
let printed: Record<string, string>;
beforeAll(async () => {
  await unzipArtefact();
  const env = { authData_apiKey: sandbox.key(), authData_baseUrl: sandbox.url };
  const all = await runCommands(Object.values(COMMANDS), env);
  printed = Object.fromEntries(Object.keys(COMMANDS).map((name, at) => [name, all[at] ?? '']));
}, 240_000);

const answerTo = (name: keyof typeof COMMANDS) => {
  const text = printed[name] ?? '';
  return JSON.parse(text.slice(text.search(/^[[{]/m)));
};

test('the definition is valid', () => {
  expect(printed['validate']).toContain('This project is structurally sound!');
});

test('the CLI tests the connection and derives its header', () => {
  expect(answerTo('test')).toMatchObject({ host: new URL(sandbox.url).host });
  expect(answerTo('template')).toMatchObject({
    supported: true,
    template: { headers: { Authorization: 'Bearer {{bundle.authData.apiKey}}' } },
  });
});

test('the CLI runs a create and a search', () => {
  expect(answerTo('create')).toMatchObject({ email: 'cli@northwind.example', name: 'Cli' });
  expect(answerTo('search')[0].name).toMatch(/deck/i);
});
