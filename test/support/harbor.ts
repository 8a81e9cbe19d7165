import { createSandbox } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { learnFrom } from './learn-from.ts';

const SETTINGS = [
  'modern+naming=camel+envelope=results+paging=current-page+pagingLocation=pagination+pageSize=3+item=data+dates=epoch-seconds+extras=many',
  'undocumentedDeletes=all+requestId=none+uploadBody=file_name+content_type+file_size+uploadStatus=201',
  'webhookBody=endpoint_url+events+webhookSecretField=signing_secret',
].join('+');

/** The service's names of the sandbox's fields, headers and ID prefixes. */
const NAMES: Readonly<Record<string, string>> = {
  data: 'entry',
  results: 'rows',
  pagination: 'pager',
  nextPageUrl: 'nextHref',
  total: 'matches',
  name: 'title',
  expiresAt: 'opensUntil',
  file_name: 'fileName',
  content_type: 'fileType',
  file_size: 'fileSize',
  pageCount: 'sheets',
  description: 'notes',
  createdAt: 'bornOn',
  endpoint_url: 'endpoint',
  signingSecret: 'signingKey',
  company: 'firm',
  'x-amz-server-side-encryption': 'x-harbour-seal',
  lnk_: 'lnk-',
  error: 'problem',
  message: 'text',
  details: 'hints',
  field: 'where',
};

const HEADERS = '"headers":{"x-trace":{"type":"string"},"x-quota-left":{"type":"string","format":"digits"}';

/** Learns a sandbox, and renames its fields: the profile of a service that no preset resembles. */
export async function learnHarbor(): Promise<ServiceProfile> {
  const sandbox = await createSandbox({ seed: 1, clock: 'manual', profile: SETTINGS });
  const options = { budget: 120, write: { apiKey: sandbox.key() }, keepNames: true };
  const { profile } = await learnFrom(sandbox, options).finally(() => sandbox.close());
  const renamed = JSON.stringify(profile)
    .replace(/"([\w-]+)"/g, (quoted, name) => (Object.hasOwn(NAMES, name) ? `"${NAMES[name]}"` : quoted))
    .replaceAll(
      /(?<="status":201,"media":"application.json",)"headers":{}/g,
      `${HEADERS},"location":{"type":"string"}}`,
    )
    .replaceAll('"headers":{}', `${HEADERS}}`)
    .replace('"encryption":"AES256",', '')
    // The first one is that of listed links; a new link has none.
    .replace('"opensUntil":{"type":"null"', '"opensUntil":{"type":"integer"');
  return JSON.parse(renamed);
}
