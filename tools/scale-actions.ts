import { createSandbox } from '../sandbox/index.ts';
import { type Fields, startPlatform } from '../test/support/zapier-lambda.ts';
import type { Row } from './scale-workspace.ts';

/** Actions per minute that the app's `throttle` allows. */
const ACTIONS_PER_MINUTE = 50;

/** Runs as many actions at once as `throttle` allows per minute, with one key and the service's rate limit. */
export async function measureActions(): Promise<readonly Row[]> {
  const sandbox = await createSandbox({ profile: { listFilters: 'filters' } });
  const app = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  try {
    const run = (method: string, inputData: Fields) =>
      app.envelope(method, { inputData }).then(
        () => 'done',
        ({ name }: Error) => name,
      );
    const outcomes: string[] = [];
    for (let index = 0; index < ACTIONS_PER_MINUTE; index++) {
      const kind = index % 5;
      outcomes.push(
        kind === 0
          ? await run('creates.create_contact.operation.perform', { email: `a${index}@x.example` })
          : kind === 1
            ? await run('creates.create_room.operation.perform', { name: `Room ${index}` })
            : kind === 2
              ? await run('searches.find_contact.operation.perform', {
                  query: 'nobody@x.example',
                  email: 'nobody@x.example',
                })
              : await run('searches.find_room.operation.perform', {
                  name: kind === 3 ? 'Nowhere' : `Room ${index - 3}`,
                }),
      );
    }
    const workspace = `${ACTIONS_PER_MINUTE} actions in a minute`;
    return [
      {
        workspace,
        metric: 'done',
        number: outcomes.filter((outcome) => outcome === 'done').length,
        goal: ACTIONS_PER_MINUTE,
        exact: true,
      },
      {
        workspace,
        metric: 'throttled',
        number: outcomes.filter((outcome) => outcome === 'ThrottledError').length,
        goal: 0,
        exact: true,
      },
      { workspace, metric: 'requests', number: sandbox.log.entries().length, goal: 120 },
    ];
  } finally {
    await app.close();
    await sandbox.close();
  }
}
