/** Changes that a second run reports. That it reports none if nothing changed: `test/learn/profile-learned.test.ts`. */

import { expect, test } from 'vitest';
import type { Topic } from '../../learn/index.ts';
import { diffProfiles } from '../../learn/report/diff-profiles.ts';
import { createSandbox, resolveProfile } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { closeAfterAll } from '../support/cleanup.ts';
import { learnFrom } from '../support/learn-from.ts';
import { visibleIn } from '../support/learn-table.ts';

const sandbox = await closeAfterAll(createSandbox({ seed: 1, clock: 'manual' }));

async function learnNow(only?: readonly Topic[]): Promise<ServiceProfile> {
  return (await learnFrom(sandbox, { topics: only })).profile;
}

/** Learned once, because none of the compared facts depends on the data. */
let modern: ServiceProfile | undefined;

test.for([
  ['envelope', 'items', /list: path of the items: data before, items now\./],
  ['paging', 'page', /next page parameters: cursor before, page now\./],
  ['item', 'data', /documents\.get: the field id was removed\./],
  ['naming', 'camel', /naming: snake before, camel now\./],
  ['dates', 'epoch-ms', /times: iso before, epoch-ms now\./],
  ['extras', 'some', /the field livemode was added\./],
  ['contentType', 'application/vnd.api+json', /type: application\/json before, application\/vnd\.api\+json now\./],
  ['download', 'redirect-302', /download by: url before, redirect now\./],
  ['errors', 'problem', /error unknownId: type: application\/json before, application\/problem\+json now\./],
  ['wrongKey', '403', /error wrongKey: status: 401 before, 403 now\./],
  ['requestId', 'none', /requestId: x-request-id before, none now\./],
  ['rateLimitHeaders', 'ratelimit', /the header ratelimit-limit was added\./],
  ['order', 'oldest', /order: newest before, oldest now\./],
  ['listFilters', 'filters', /name: ignored before, narrows now\./],
] as const)('reports that the %s of the service changed to %s', async ([name, setting, words]) => {
  sandbox.use('modern');
  const before = modern ?? (await learnNow());
  modern = before;
  sandbox.use({ [name]: setting });
  expect(visibleIn(resolveProfile({ [name]: setting }), 'read')).toContain(name);
  expect(diffProfiles(before, await learnNow()).join('\n')).toMatch(words);
});
