import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { creates } from './creates/index.ts';
import { fetchSignedDocument } from './hydrators/signed-document.ts';
import pack from './package.json' with { type: 'json' };
import { authentication } from './platform/authentication.ts';
import { addApiKey } from './platform/before-request.ts';
import { searchAndCreates, searchOrCreates } from './searches/find-or-create.ts';
import { searches } from './searches/index.ts';
import { triggers } from './triggers/index.ts';

/** Docshare app that Zapier loads. Keys never change: renaming one breaks users' Zaps. */
export default defineApp({
  version: pack.version,
  platformVersion,
  authentication,
  beforeRequest: [addApiKey],
  // Shared by all actions of a connection: at two calls each they stay below 120 per minute (§8).
  throttle: { window: 60, limit: 50, scope: ['auth'] },
  hydrators: { fetchSignedDocument },
  triggers: byKey(triggers),
  creates: byKey(creates),
  searches: byKey(searches),
  searchOrCreates: byKey(searchOrCreates),
  searchAndCreates: byKey(searchAndCreates),
});

function byKey<Operation extends { readonly key: string }>(
  operations: readonly Operation[],
): Record<string, Operation> {
  return Object.fromEntries(operations.map((operation) => [operation.key, operation]));
}
