/** The whole report about a service, with its first responses: a change of any sentence shows in `__snapshots__`. */
import { expect, test } from 'vitest';
import { createReport } from '../../learn/report/create-report.ts';
import { diffProfiles } from '../../learn/report/diff-profiles.ts';
import { renderMarkdown } from '../../learn/report/render-markdown.ts';
import { createSandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from '../support/cleanup.ts';
import { learnFrom, learnOf } from '../support/learn-from.ts';

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
