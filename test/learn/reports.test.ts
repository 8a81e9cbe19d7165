/** The whole report about a service, with its first responses, in `__snapshots__`, and the changes that a second run reports. */
import { expect, test } from 'vitest';
import type { Topic } from '../../learn/index.ts';
import { createReport } from '../../learn/report/create-report.ts';
import { diffProfiles } from '../../learn/report/diff-profiles.ts';
import { renderMarkdown } from '../../learn/report/render-markdown.ts';
import { createSandbox, resolveProfile } from '../../sandbox/index.ts';
import type { ServiceProfile } from '../../src/index.ts';
import { closeAfterAll, closeAfterTest } from '../support/cleanup.ts';
import { learnFrom, learnOf } from '../support/learn-from.ts';
import { visibleIn } from '../support/learn-table.ts';

test.for(['legacy', 'random:23'])('the report about %s', async (profile) => {
  const sandbox = await closeAfterTest(createSandbox({ seed: 1, clock: 'manual', profile }));
  const result = await learnFrom(sandbox, { write: { apiKey: sandbox.key() } });
  const report = renderMarkdown(createReport(result))
    .replaceAll(new URL(sandbox.url).origin, 'https://api.test')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>');
  const [text = ''] = report.split('<a id="response-20">');
  await expect(text).toMatchFileSnapshot(`__snapshots__/report-${profile.replace(':', '-')}.md`);
});

test('what changed between two services', async () => {
  const changes = diffProfiles(await learnOf('legacy'), await learnOf('random:23'));
  await expect(`${changes.join('\n')}\n`).toMatchFileSnapshot('__snapshots__/changes.txt');
  expect(diffProfiles(await learnOf('legacy'), await learnOf('legacy'))).toEqual([]);
});

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

test('a download that is rejected adds nothing to the profile', async () => {
  sandbox.faults.add({ operation: 'agreements.document', status: 400 });
  sandbox.use('modern');
  expect((await learnNow()).operations['agreements.document']).toBeUndefined();
});
