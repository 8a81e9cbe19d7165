/** No text of an account's users appears in any output about a learned service, wherever it was in the responses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAppProfile } from '../../zapier/fields/create-app-profile.ts';
import { drawCanaries } from '../support/canaries.ts';
import { type CanaryService, startCanaryService } from '../support/canary-service.ts';
import { closeAfterTest, createFolderForFile } from '../support/cleanup.ts';
import { openHost } from '../support/mcp-host.ts';
import { learnEnvironment, runLearnCommand } from '../support/run-learn.ts';
import { buildApp } from '../support/zapier-learned.ts';

const folder = createFolderForFile('learn-canaries-');

async function run(service: CanaryService, key: string, ...args: string[]) {
  const env = learnEnvironment(service.url, key);
  const { code, printed } = await runLearnCommand([...args, '--out', folder], { env });
  return { code, printed };
}

test.each([
  ['by reading', 7, []],
  ['with throwaway objects and a delivery', 11, ['--write', '--wait', '5']],
] as const)('no canary appears in any output after learning %s', async (_, seed, args) => {
  const service = await closeAfterTest(startCanaryService(seed));
  const { canaries } = service;
  const made: Record<string, string> = {};
  const learned = await run(service, `key-${seed}-a`, ...args);
  const checked = await run(service, `key-${seed}-b`, '--check');
  const drawn = await run(service, `key-${seed}-c`, '--openapi');
  Object.assign(made, { learned: learned.printed, checked: checked.printed, drawn: drawn.printed });
  expect([learned.code, drawn.code]).toEqual([0, 0]);
  for (const name of readdirSync(folder)) made[name] = readFileSync(join(folder, name), 'utf8');
  const profile = JSON.parse(made['docshare.profile.json'] ?? '');
  const host = await openHost({
    args: [],
    env: {
      DOCSHARE_API_KEY: 'key',
      DOCSHARE_BASE_URL: service.url,
      DOCSHARE_PROFILE: join(folder, 'docshare.profile.json'),
    },
  });
  made['tools'] = JSON.stringify(await host.tools().finally(() => host.close()));
  made['zapier'] = JSON.stringify(createAppProfile(profile));
  // The part of the profile that the Zapier app uses, and once the built app.
  if (args.length > 0) {
    const app = await closeAfterTest(buildApp(profile));
    made['zapier'] += JSON.stringify(app.definition);
  }
  expect(canaries.count).toBeGreaterThan(1000);
  expect(JSON.stringify(made)).not.toContain(`key-${seed}-`);
  const found = Object.entries(made).map(([name, text]) => [name, canaries.foundIn(text)]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(MADE.map((name) => [name, []])));
  expect(made['docshare.learned.md']).toMatch(/- `contact`: \d+/);
  // The service's own names are learned all the same.
  expect(Object.keys(profile.resources.contact.properties).sort()).toEqual(OWN);
  expect(profile.operations['contacts.list'].list).toMatchObject({
    at: ['data'],
    next: { by: 'url', at: ['next'] },
    size: { param: 'limit' },
  });
  expect(profile.facts.event === undefined).toBe(args.length === 0);
});

test('a canary in an output would be found', () => {
  const { text, field, token, foundIn } = drawCanaries(1);
  const drawn = Array.from({ length: 300 }, () => [text(), field(), token()]).flat();
  expect(drawn.filter((canary) => foundIn(`<${canary.toUpperCase()}>`).length === 0)).toEqual([]);
  expect(new Set(drawn).size).toBeGreaterThan(700);
});

const MADE = [
  'learned',
  'checked',
  'drawn',
  'docshare.profile.json',
  'docshare.learned.md',
  'docshare.openapi.json',
  'docshare.api.d.ts',
  'tools',
  'zapier',
];
const OWN =
  `answers attributes by_reader contactCustomFields created_at created_by custom_fields description email external_id history id
  labels merge_fields metadata name owner_key properties role shares status tags type url`.split(/\s+/);
