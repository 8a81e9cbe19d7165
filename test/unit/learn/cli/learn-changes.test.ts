/** What counts as a change of a service, and what only depends on the entries of an account or on a clock. */
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkService } from '../../../../learn/cli/check-service.ts';
import { withLock } from '../../../../learn/cli/with-lock.ts';
import { inferEvent } from '../../../../learn/infer/infer-event.ts';
import type { LearnResult } from '../../../../learn/learn.ts';
import { formatCodes } from '../../../../learn/questions/evaluate.ts';
import { diffProfiles } from '../../../../learn/report/diff-profiles.ts';
import { diffSchemas } from '../../../../learn/report/diff-schemas.ts';
import { writeFileAtomically } from '../../../../learn/write/atomic-file.ts';
import type { Schema } from '../../../../src/profile/json-schema.ts';
import type { ResponseShape, ServiceProfile } from '../../../../src/profile/service-profile.ts';
import { texts } from '../../../learn/texts.ts';
import { createStub } from '../../../support/create-stub.ts';
import { NOTHING_LEARNED } from '../../../support/form-of.ts';
import { answer } from '../../../support/judged.ts';

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
});
const text: Schema = { type: 'string' };

test.each<[string, Schema, Schema, readonly string[]]>([
  [
    'a field that always was',
    object({ a: text, b: text }, ['a', 'b']),
    object({ a: text }, ['a']),
    ['the field b was removed.'],
  ],
  ['a field that was in some', object({ a: text, b: text }, ['a']), object({ a: text }, ['a']), []],
  ['a field that always is', object({ a: text }), object({ a: text, b: text }, ['b']), ['the field b was added.']],
  ['a null here and there', object({ a: text }), object({ a: { type: ['string', 'null'] } }), []],
  ['nothing but null', object({ a: text }), object({ a: { type: 'null' } }), []],
  ['a fraction', object({ a: { type: 'integer' } }), object({ a: { type: 'number' } }), []],
  [
    'another type',
    object({ a: text }),
    object({ a: { type: 'integer' } }),
    ['the field a is integer now, and was string.'],
  ],
])('%s is a change, or none', (_, old, now, changes) => {
  expect(diffSchemas(old, now)).toEqual(changes);
});

const seen = (header: string): ResponseShape => answer({ headers: { [header]: { type: 'string', 'x-seen': 1 } } });
const download = (ttlSeconds: number) => ({ facts: { download: { by: 'url' as const, status: 200, ttlSeconds } } });
test.each<[string, Partial<ServiceProfile>, Partial<ServiceProfile>, number]>([
  ['a lifetime that is 5 s longer', download(30), download(35), 0],
  ['a lifetime that is 6 s longer', download(30), download(36), 1],
  ['a long lifetime that is a tenth longer', download(600), download(660), 0],
  [
    texts.headerGoesLengthList,
    { operations: { 'links.list': { response: seen('link') } } },
    { operations: { 'links.list': { response: answer() } } },
    0,
  ],
  [
    'any other header',
    { operations: { 'links.list': { response: seen('x-plan') } } },
    { operations: { 'links.list': { response: answer() } } },
    1,
  ],
  [
    'a rejection that was only inferred before',
    { rejections: { noKey: answer({ status: 401, seen: 0 }) } },
    { rejections: { noKey: answer({ status: 403 }) } },
    0,
  ],
])('%s counts as the expected number of changes', (_, before, now, changes) => {
  expect(diffProfiles({ ...NOTHING_LEARNED, ...before }, { ...NOTHING_LEARNED, ...now })).toHaveLength(changes);
});

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'learn-changes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test.each([
  ['whose names were kept', 'kept', undefined, [true, 0, 'No changes']],
  ['with nothing to tell', undefined, undefined, [false, 0, 'No changes']],
  ['that was stopped', undefined, 'Stopped by you.', [false, 2, 'The run ended early: Stopped by you.']],
] as const)(
  'a check %s keeps the names that were kept, and says by its code how it went',
  async (_, names, ended, wanted) => {
    const path = join(await openFolder(), 'docshare.profile.json');
    const profile: ServiceProfile = {
      ...NOTHING_LEARNED,
      learned: { ...NOTHING_LEARNED.learned, ...(names ? { names } : {}) },
      operations: { 'links.list': { response: answer({ body: object({ a: text }) }) } },
    };
    await writeFile(path, JSON.stringify(profile));
    const asked: boolean[] = [];
    const ask = async (keepNames: boolean) => {
      asked.push(keepNames);
      return createStub<LearnResult>({ profile, stopReason: ended, responses: [{}] });
    };
    const said: string[] = [];
    const code = await checkService(
      { path, baseUrl: profile.service, runLearning: ask },
      (words) => void said.push(words),
    );
    expect([asked[0], code, said.join('')]).toEqual([wanted[0], wanted[1], expect.stringContaining(wanted[2])]);
  },
);

test.skipIf(process.platform === 'win32')('what is written can be read by its owner alone', async () => {
  const path = await writeFileAtomically(await openFolder(), 'a.json', '{}');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform === 'win32')(
  'a link in the place of the lock is taken away, and not followed',
  async () => {
    const folder = await openFolder();
    await symlink('/dev/zero', join(folder, '.docshare.learning'));
    expect(await withLock(folder, async () => 'ran')).toBe('ran');
  },
);

test.each<[string, object, object]>([
  ['link.viewed', {}, { signature: 'none', kinds: ['link.viewed'] }],
  // A word that may be the account's own is not kept.
  ['our.own.word', {}, { signature: 'none', kinds: [] }],
  ['link.viewed', { 'x-signature': '0'.repeat(64) }, { signature: 'unknown', signatureHeader: 'x-signature' }],
])('of a delivery of %s with %j the form is kept', (type, more, fact) => {
  const body = Buffer.from(JSON.stringify({ type, id: 'e1', data: { id: 'l1' } }));
  const headers = { host: 'a', 'x-kind': 'b', 'ada@example.com': 'c', ...more };
  const event = inferEvent([{ headers, body }], 'secret_of_a_registration');
  expect(event).toMatchObject(fact);
  expect(Object.keys(event?.headers ?? {})).toEqual(['x-kind', ...Object.keys(more)]);
});

test('not more names are shown than people read', () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  expect(formatCodes(names)).toMatch(/^(?:`n\d+`, ){15}`n15` and 4 more$/);
  expect(formatCodes(names.slice(0, 16))).not.toContain('more');
});
