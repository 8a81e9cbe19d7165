/** Reading `docshare.profile.json`: accepted as a whole, or rejected with the path of the invalid field. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseProfile, readProfile, type Schema, type ServiceProfile } from '../../../src/index.ts';
import { createFolderForFile } from '../../support/cleanup.ts';
import { texts } from '../texts.ts';

const least: ServiceProfile = {
  docshareProfile: 1,
  service: 'https://api.example.com/api/v1',
  learned: { at: '2026-11-21T12:00:00Z', by: '0.1.0', calls: 12, mode: 'read' },
  scopes: { granted: ['links:read'], missing: [] },
  facts: { naming: 'snake' },
  operations: { 'links.list': { list: { at: ['data'], size: { default: 25 }, query: { q: 'ignored' } } } },
  resources: { link: { type: 'object', properties: { id: { type: ['string', 'null'] } }, required: ['id'] } },
  rejections: { unknownId: { status: 404, media: 'application/json', headers: {}, body: { type: 'object' }, seen: 2 } },
};

const folder = createFolderForFile('docshare-profile-');

test('a written profile is read again, for its own service only', () => {
  expect(parseProfile(JSON.parse(JSON.stringify(least)), 'https://api.example.com/api/v1')).toEqual(least);
  expect(() => parseProfile(least, 'https://api.example.org/api/v1')).toThrow(texts.butBaseUrlHttps);
});

test.each([
  [null, 'Invalid profile'],
  [{ ...least, docshareProfile: 2 }, texts.profileFormatVersion2],
  [{ ...least, service: 'https://ada:secret@api.example.com/api/v1' }, texts.serviceMustBaseUrl],
  [{ ...least, facts: { naming: 'shouting' } }, '`facts.naming`'],
  [{ ...least, operations: { 'links.twist': {} } }, '`operations'],
])('%j is rejected by name', (value, said) => {
  expect(() => parseProfile(value)).toThrow(said);
});

test.each([250, 100_000])('a profile nested %i levels deep is rejected, so readers may recurse', (levels) => {
  let deep: Schema = { type: 'string' };
  for (let level = 0; level < levels; level++) deep = { type: 'array', items: deep };
  expect(() => parseProfile({ ...least, resources: { link: deep } })).toThrow('nested too deep');
});

test('the error of a missing or invalid file names it', async () => {
  const path = join(folder, 'docshare.profile.json');
  await expect(readProfile(path)).rejects.toThrow(`${path} can't be read (ENOENT)`);
  await writeFile(path, '{"docshareProfile": 1');
  await expect(readProfile(path)).rejects.toThrow(
    `The profile ${path} is not JSON. Create one with \`docshare learn\`.`,
  );
  await writeFile(path, JSON.stringify({ ...least, scopes: { granted: ['everything'], missing: [] } }));
  await expect(readProfile(path)).rejects.toThrow(
    `${path}: Invalid profile: \`scopes.granted.0\` Invalid option: expected one of`,
  );
  await writeFile(path, JSON.stringify(least));
  expect(await readProfile(path)).toEqual(least);
});

test('a file larger than the maximum is not read, and neither is a folder', async () => {
  const path = join(folder, 'large.json');
  await writeFile(path, JSON.stringify(least));
  await truncate(path, 8 * 1024 * 1024 + 1);
  for (const [place, said] of [
    [path, texts.largerThan8Mib],
    [folder, texts.itIsNotAFile],
  ] as const)
    await expect(readProfile(place)).rejects.toThrow(said);
});
