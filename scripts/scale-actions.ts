import { createSandbox } from '../sandbox/index.ts';
import { type Fields, startPlatform } from '../test/world/zapier-lambda.ts';
import type { Row } from './scale-workspace.ts';

/** What the app's `throttle` lets run in a minute. */
const ACTIONS = 50;

/** Runs as many actions at once as the app's `throttle` allows in a minute, with one key and the service's own limit. */
export async function measureActions(): Promise<readonly Row[]> {
  const sandbox = await createSandbox({ profile: { narrowing: 'filters' } });
  const zap = await startPlatform({ apiKey: sandbox.key(), baseUrl: sandbox.url });
  try {
    const run = (method: string, inputData: Fields) =>
      zap.envelope(method, { inputData }).then(
        () => 'done',
        ({ name }: Error) => name,
      );
    const ends: string[] = [];
    for (let at = 0; at < ACTIONS; at++) {
      const turn = at % 5;
      ends.push(
        turn === 0
          ? await run('creates.create_contact.operation.perform', { email: `a${at}@x.example` })
          : turn === 1
            ? await run('creates.create_room.operation.perform', { name: `Room ${at}` })
            : turn === 2
              ? await run('searches.find_contact.operation.perform', {
                  query: 'nobody@x.example',
                  email: 'nobody@x.example',
                })
              : await run('searches.find_room.operation.perform', {
                  name: turn === 3 ? 'Nowhere' : `Room ${at - 3}`,
                }),
      );
    }
    const workspace = `${ACTIONS} actions in a minute`;
    return [
      {
        workspace,
        what: 'done',
        number: ends.filter((end) => end === 'done').length,
        goal: ACTIONS,
        exact: true,
      },
      {
        workspace,
        what: 'throttled',
        number: ends.filter((end) => end === 'ThrottledError').length,
        goal: 0,
        exact: true,
      },
      { workspace, what: 'requests', number: sandbox.log.entries().length, goal: 120 },
    ];
  } finally {
    await zap.close();
    await sandbox.close();
  }
}
