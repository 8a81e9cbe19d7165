import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { learn } from '../../learn/index.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { createUndiciTransport, type Schema } from '../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { NOTHING_LEARNED } from '../support/create-profile.ts';
import { learnedProfile, object } from '../support/learned-service.ts';
import { breakingChanges, contractOf } from '../support/zapier-compatibility.ts';
import type { Field, Definition as Whole } from '../support/zapier-definition.ts';
import { type Fields, type Platform, startPlatform } from '../support/zapier-lambda.ts';
import { type BuiltApp, buildApp } from '../support/zapier-learned.ts';
import { texts } from './texts.ts';

const BASE = 'https://api.example.com/api/v1';
const plain = await closeAfterAll(buildApp());
const app = await closeAfterAll(buildApp(learnedProfile(BASE)));
const wholeOf = ({ definition }: BuiltApp) => definition as Whole;
const inputsOf = (app: BuiltApp, key: string): Field[] =>
  (wholeOf(app).creates[key]?.operation.inputFields ?? []).filter((field) => typeof field !== 'string');
const learnedOf = (app: BuiltApp, key: string) =>
  inputsOf(app, key).filter((field) => field.key.startsWith('learned__'));

describe('with a profile', () => {
  test('nothing that Zaps depend on is removed or changed, and the platform accepts the definition', async () => {
    expect(breakingChanges(contractOf(wholeOf(plain)), contractOf(wholeOf(app)))).toEqual([]);
    expect((await app.handler({ command: 'validate' })).results).toEqual([]);
    for (const group of ['triggers', 'creates', 'searches'] as const)
      for (const [key, { operation }] of Object.entries(plain.definition[group])) {
        const sample = app.definition[group][key]?.operation.sample ?? {};
        expect(Object.keys(sample), key).toEqual(expect.arrayContaining(Object.keys(operation.sample ?? {})));
      }
  });

  test('an empty profile builds the same definition as no profile', async () => {
    const empty = await closeAfterTest(buildApp(NOTHING_LEARNED));
    expect(JSON.stringify(empty.definition)).toBe(JSON.stringify(plain.definition));
    expect(JSON.stringify(app.definition)).not.toBe(JSON.stringify(plain.definition));
  });

  test('forms offer the fields of the service with their types, and say how each is known', () => {
    expect(learnedOf(app, 'create_contact').map(({ key, label, type, list }) => ({ key, label, type, list }))).toEqual([
      { key: 'learned__display_name', label: 'Display Name', type: 'string' },
      { key: 'learned__firm', label: 'Firm', type: 'string' },
      { key: 'learned__since', label: 'Since', type: 'datetime' },
      { key: 'learned__score', label: 'Score', type: 'number' },
    ]);
    const [label] = learnedOf(app, 'create_link');
    expect(label).toMatchObject({
      label: 'Label',
      type: 'string',
      helpText: expect.stringContaining('Sent to Docshare as `label`'),
    });
    // The visitor cap has its own field among the gates.
    expect(learnedOf(app, 'update_link').map(({ key, type }) => [key, type])).toEqual([
      ['learned__label', 'string'],
      ['learned__passphrase', 'string'],
      ['learned__watermark', 'boolean'],
    ]);
    expect(learnedOf(app, 'update_link')[0]).toMatchObject({
      helpText: expect.stringContaining(texts.butMayAcceptChanges),
    });
    // A form has no fields for objects, and the status cannot be set.
    expect(learnedOf(app, 'create_agreement').map(({ key }) => key)).toEqual(['learned__stage']);
    expect(learnedOf(plain, 'create_contact')).toEqual([]);
  });

  test('samples are generated in the form of the service and parsed like real responses', () => {
    const sample = app.definition.searches['find_link']?.operation.sample ?? {};
    expect(sample).toMatchObject({
      id: expect.stringMatching(/^lk-/),
      document_id: expect.stringMatching(/^dc-/),
      email_required: expect.any(Boolean),
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      raw: { visitor_cap: expect.any(Number), created_at: expect.any(String) },
    });
    expect(app.definition.triggers['agreement_status_changed']?.operation.sample).toMatchObject({
      agreement_id: expect.stringMatching(/^ag-/),
      status: 'declined',
      raw: { stage: 'declined' },
    });
  });

  test('outputs of the original record are labelled and typed', () => {
    expect(app.definition.triggers['new_contact']?.operation.outputFields as Field[]).toEqual(
      expect.arrayContaining([
        { key: 'raw__score', label: 'Score', type: 'number' },
        { key: 'raw__modified_at', label: 'Modified At', type: 'datetime' },
        { key: 'raw__owner__email', label: 'Owner Email', type: 'string' },
      ]),
    );
  });
});

describe('a service with its learned profile', () => {
  let sandbox: Sandbox;
  let app: BuiltApp;
  let zap: Platform;
  beforeAll(async () => {
    sandbox = await createSandbox({ seed: 1, profile: 'modern' });
    const wire = createUndiciTransport();
    const { profile } = await learn({ apiKey: sandbox.key(), baseUrl: sandbox.url, transport: wire });
    await wire.close();
    app = await buildApp(profile);
    zap = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url }, app);
    return async () => {
      await zap.close();
      app.close();
      await sandbox.close();
    };
  });

  test.each(['new_link', 'new_contact', 'new_document', 'new_agreement'])(
    'returns live records of %s with the keys of the sample and the outputs',
    async (key) => {
      const [record = {}] = await zap.trigger(key, { meta: { isLoadingSample: true } });
      const { sample = {}, outputFields = [] } = app.definition.triggers[key]?.operation ?? {};
      expect(Object.keys(record)).toEqual(Object.keys(sample));
      expect(Object.keys(sample['raw'] as Fields)).toEqual(
        expect.arrayContaining(Object.keys(record['raw'] as Fields)),
      );
      const labelled = outputFields
        .filter((field) => field.key.startsWith('raw__'))
        .map((field) => field.key.split('__')[1]);
      expect(labelled.length).toBeGreaterThan(3);
    },
  );

  test('a learned field is sent under its own name', async () => {
    const field = learnedOf(app, 'create_room').find(
      ({ type, choices, list }) => type === 'string' && !choices && !list,
    );
    const name = String(field?.key).slice('learned__'.length);
    const made = await zap.act('create_room', { name: 'Room', [`learned__${name}`]: 'Lisbon' });
    expect(made['raw']).toMatchObject({ name: 'Room', [name]: 'Lisbon' });
  });
});

test('an observed event is the sample, as it was delivered', async () => {
  const body = object({
    kind: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
    body: { type: 'object', properties: { seconds: { type: 'integer' } } },
  });
  const event = { body, headers: {}, kind: ['kind'], signature: 'none' as const, kinds: ['link.viewed'] };
  const profile = learnedProfile(BASE);
  const app = await closeAfterTest(buildApp({ ...profile, facts: { ...profile.facts, event } }));
  const { sample, outputFields } = app.definition.triggers['link_viewed']?.operation ?? {};
  expect(sample).toMatchObject({
    event: 'Link viewed',
    raw: { kind: 'link.viewed', body: { seconds: expect.any(Number) } },
  });
  expect(outputFields).toContainEqual({ key: 'raw__body__seconds', label: 'Body Seconds', type: 'integer' });
});

test("times are sent in the service's own format", async () => {
  const time = (format: string, type: Schema['type'] = 'string'): Schema => ({ type, format });
  const contact = object({
    id: { type: 'string' },
    email: { type: 'string' },
    renews: time('date'),
    since: time('epoch-seconds', 'integer'),
    until: time('epoch-ms', 'integer'),
    starts: time('date-time'),
  });
  const app = await closeAfterTest(buildApp({ ...learnedProfile(BASE), resources: { contact } }));
  const sandbox = await closeAfterTest(createSandbox());
  const zap = await closeAfterTest(startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url }, app));
  const at = '2027-01-02T03:04:05Z';
  const fields = { learned__renews: at, learned__since: at, learned__until: at, learned__starts: at };
  const made = await zap.act('create_contact', { email: 'x@a.io', ...fields });
  expect(made['raw']).toMatchObject({
    renews: '2027-01-02',
    since: 1798859045,
    until: 1798859045000,
    starts: '2027-01-02T03:04:05.000Z',
  });
  const { message } = await zap.actError('create_contact', { email: 'y@example.com', learned__since: 'some day' });
  expect(message).toMatch(texts.someDayDateApp);
});

test('untrusted names break neither form nor bundle, and are not shown', async () => {
  const names = ['"]); process.exit(1) //', `\`\${x}\``, '</script>', 'a\nb', '{{bundle.inputData.zzz}}'];
  names.push('__proto__', 'constructor', 'a__b', 'api_token', 'x');
  const form = object(
    Object.fromEntries(
      ['id', 'good', ...names].map((name): [string, Schema] => [
        name,
        { type: 'string', enum: ['draft', '"{{x}}', 'sent'] },
      ]),
    ),
  );
  const app = await closeAfterTest(buildApp({ ...learnedProfile(BASE), resources: { link: form, contact: form } }));
  expect((await app.handler({ command: 'validate' })).results).toEqual([]);
  const shown = JSON.stringify(app.definition);
  expect(shown).toContain('learned__good');
  expect(shown).not.toMatch(/process\.exit|<\/script>|inputData\.zzz|learned__(a__b|api_token|x")/);
  expect(readFileSync(app.path, 'utf8')).not.toContain('inputData.zzz');
});
