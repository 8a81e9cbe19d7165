import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as core from '../../src/index.ts';
import { readSources } from '../support/source-files.ts';

const page = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');

test('the page names every export of the package', () => {
  expect(Object.keys(core).filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test.each([
  'CreateClientOptions',
  'ClientOptions',
  'Client',
  'DisposableClient',
  'RequestOptions',
  'Hooks',
  'UploadOptions',
  'FinalizedUpload',
  'Download',
  'DownloadBody',
  'SaveOptions',
  'DownloadOptions',
  'SavedFile',
  'DownloadProgress',
  'ServiceEvent',
  'SignatureOptions',
  'LimitStore',
  'RetryPolicy',
])('the page names every member of %s', (name) => {
  const text = readSources(['src']).find((file) => file.text.includes(`export interface ${name} `))?.text ?? '';
  const [, body = ''] = text.split(`export interface ${name} `)[1]?.match(/\{\n([\s\S]*?)\n\}/) ?? [];
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(?:\?|:|\()/gm)].map(([, member = '']) => member);
  expect(text, name).not.toBe('');
  expect(members.filter((member) => !new RegExp(`\\b${member}\\b`).test(page))).toEqual([]);
});
