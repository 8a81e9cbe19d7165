/** How the learner records created objects, reserves calls to remove them, and decides that they are gone. */
import { describe, expect, test } from 'vitest';
import { BudgetExceededError, createRecorder } from '../../../../learn/probes/recorder.ts';
import type { RecordedResponse } from '../../../../learn/probes/session.ts';
import { removeObject, trackCreation, type WriteContext } from '../../../../learn/write/create-object.ts';
import { trackCreatedResources } from '../../../../learn/write/created-resources.ts';
import type { PendingCleanup } from '../../../../learn/write/pending-cleanup.ts';
import { extractId, findMarkedPaths, removeAll, removeOne } from '../../../../learn/write/remove.ts';
import { ApiError, type Client, IncompleteListError, NetworkError } from '../../../../src/index.ts';
import { createStub } from '../../../support/create-stub.ts';

const MARKER = 'docshare-learn-0123456789ab';

describe('created resources', () => {
  /** Tracks resources with a slow journal and cleanup process; `events` has their updates in order. */
  function make() {
    const events: string[] = [];
    const record = async (event: string) => {
      // The journal is the slower of the two.
      for (let turn = event.startsWith('journal') ? 3 : 1; turn > 0; turn--)
        await new Promise((resolve) => setImmediate(resolve));
      events.push(event);
    };
    const format = ({ remainingPaths, unverifiedLists, preexisting }: PendingCleanup) =>
      [remainingPaths, unverifiedLists, preexisting].map((one) => one.join()).join('|');
    const createdResources = trackCreatedResources(MARKER, {
      journal: {
        path: '',
        write: (state) => record(`journal ${format(state)}`),
        delete: () => record('journal deleted'),
      },
      cleanupProcess: { update: (state) => record(`cleanup ${format(state)}`), stop: () => record('cleanup stopped') },
    });
    return { createdResources, events };
  }

  test('are known to the journal and the cleanup process before the request, so that a kill leaves nothing behind', async () => {
    const { createdResources, events } = make();
    await createdResources.beforeCreate('/links');
    expect(events).toEqual(['journal |/links|', 'cleanup |/links|']);
  });

  test('keep a second unverified creation in a list after the first one is settled', async () => {
    const { createdResources } = make();
    await createdResources.beforeCreate('/links');
    await createdResources.beforeCreate('/links');
    await createdResources.recordCreated('/links/a', '/links');
    expect([createdResources.pending.remainingPaths, createdResources.pending.unverifiedLists]).toEqual([
      ['/links/a'],
      ['/links'],
    ]);
    await createdResources.recordRejected('/links');
    expect(createdResources.pending.unverifiedLists).toEqual([]);
    await createdResources.recordRemoved('/links/a');
    expect([createdResources.pending.remainingPaths, [...createdResources.touchedLists]]).toEqual([[], ['/links']]);
  });

  test('that are all removed stop the cleanup process before the journal is deleted', async () => {
    const { createdResources, events } = make();
    await createdResources.finish();
    expect(events).toEqual(['cleanup stopped', 'journal deleted']);
  });
});

/** A run with `left` calls left. `answered` adds a response of the service. */
function make({ left = 10, aborted = false } = {}) {
  const recorder = { remainingCalls: left, reservedCalls: 0 };
  const responses: RecordedResponse[] = [];
  const signal = aborted ? AbortSignal.abort('stop') : new AbortController().signal;
  const createdResources = trackCreatedResources(MARKER, {});
  const gone: string[] = [];
  const client = createStub<Client>({ request: async ({ path }: { path: string }) => void gone.push(path) });
  const sendRequest = async () => responses.at(-1);
  const writing = createStub<WriteContext>({
    context: { session: { recorder, responses, signal, client, sendRequest }, lists: new Map(), skippedReasons: [] },
    createdResources: createdResources,
  });
  const answered = (status: number, json?: unknown) => {
    const answer = createStub<RecordedResponse>({ status, json, ok: status < 300, headers: {} });
    responses.push(answer);
    return answer.ok ? answer : undefined;
  };
  return { writing, recorder, createdResources, answered, responses, gone };
}

describe('a creation', () => {
  test('reserves two calls to remove the object', async () => {
    const { writing, recorder, createdResources, answered } = make();
    const made = await trackCreation(writing, '/links', async () => answered(201, { id: 'a/b' }));
    expect([made?.path, recorder.reservedCalls]).toEqual(['/links/a%2Fb', 2]);
    expect([createdResources.pending.remainingPaths, createdResources.pending.unverifiedLists]).toEqual([
      ['/links/a%2Fb'],
      [],
    ]);
  });

  test.each([[400], [404, 422], [403]])(
    'that is rejected (%j) reserves no calls and is not searched for',
    async (...statuses) => {
      const { writing, recorder, createdResources, answered } = make();
      await trackCreation(writing, '/links', async () => statuses.map((status) => answered(status)).at(-1));
      expect([recorder.reservedCalls, createdResources.pending.unverifiedLists]).toEqual([0, []]);
    },
  );

  test.each([[500], [422, 503], []])('with an unknown outcome (%j) is searched for', async (...statuses) => {
    const { writing, recorder, createdResources, answered } = make();
    await trackCreation(writing, '/links', async () => statuses.map((status) => answered(status)).at(-1));
    expect([recorder.reservedCalls, createdResources.pending.unverifiedLists]).toEqual([2, ['/links']]);
  });

  test('does not start without enough calls to remove the object, or after a stop', async () => {
    let asked = 0;
    const call = async () => {
      asked += 1;
      return undefined;
    };
    for (const left of [0, 1, 2])
      await expect(trackCreation(make({ left }).writing, '/links', call)).rejects.toThrow(BudgetExceededError);
    await expect(trackCreation(make({ aborted: true }).writing, '/links', call)).rejects.toBe('stop');
    expect(asked).toBe(0);
  });

  test('that the budget stopped before any request is not unverified, but one that it stopped later is', async () => {
    const spent = () => Promise.reject(new BudgetExceededError('used up'));
    const first = make();
    await expect(trackCreation(first.writing, '/links', spent)).rejects.toThrow('used up');
    expect(first.createdResources.pending.unverifiedLists).toEqual([]);
    const later = make();
    const call = () => {
      later.answered(503);
      return spent();
    };
    await expect(trackCreation(later.writing, '/links', call)).rejects.toThrow('used up');
    expect(later.createdResources.pending.unverifiedLists).toEqual(['/links']);
  });
});

test.each([
  [200, []],
  [404, []],
  [410, []],
  [500, ['/links/a']],
])('after a removal with status %i, these paths are removed again: %j', async (status, again) => {
  const { writing, createdResources, answered, responses, gone } = make();
  await createdResources.recordCreated('/links/a', '/links');
  answered(status);
  await removeObject(writing, { id: 'a', path: '/links/a', response: createStub(responses[0] ?? {}) });
  expect([gone, createdResources.pending.remainingPaths]).toEqual([again, []]);
});

const apiError = (status: number) =>
  new ApiError('No.', { status, operation: 'links.delete', scope: 'links:write', body: '' });
test.each<[unknown, boolean]>([
  [apiError(404), true],
  [apiError(410), true],
  [apiError(403), false],
  [apiError(500), false],
  [new NetworkError('away'), false],
])('after %s the object counts as removed: %s', async (error, isGone) => {
  expect(await removeOne(createStub<Client>({ request: () => Promise.reject(error) }), '/links/a')).toBe(isGone);
});

describe('an object with the marker in its name', () => {
  const clientOf = (collect: () => Promise<readonly object[]>) =>
    createStub<Client>({ links: { list: () => ({ collect }) }, request: async () => undefined });
  const own = { id: 'mine', name: MARKER };

  test('is found in the part that was read of an incomplete list', async () => {
    const incomplete = new IncompleteListError({ operation: 'links.list', reason: 'x', itemsRead: 1, items: [own] });
    const client = clientOf(() => Promise.reject(incomplete));
    expect(await findMarkedPaths(client, { list: '/links', marker: MARKER, preexisting: [] })).toEqual(['/links/mine']);
  });

  test.each(['.', '..'])('is ignored if its id is not a safe path segment: %s', async (id) => {
    const client = clientOf(async () => [{ ...own, id }]);
    expect(await findMarkedPaths(client, { list: '/links', marker: MARKER, preexisting: [] })).toEqual([]);
    expect(extractId({ id }, 'links')).toBeUndefined();
  });

  test('is searched for again while a request may still be running, and lists without it are reported', async () => {
    const responses = [[], [own], []];
    const asked: number[] = [];
    const client = clientOf(async () => responses[asked.push(1) - 1] ?? []);
    const unverifiedLists = { remainingPaths: [], unverifiedLists: ['/links'], preexisting: [], marker: MARKER };
    expect(await removeAll(client, unverifiedLists, { searchDelaysMs: [0, 1, 1] })).toEqual({
      unremoved: [],
      listsWithoutMatch: [],
    });
    expect(asked.length).toBe(3);
    expect(await removeAll(client, unverifiedLists)).toEqual({ unremoved: [], listsWithoutMatch: ['/links'] });
  });
});

test('removals ignore the budget, and reserved calls become usable once they are released', async () => {
  const recorder = createRecorder({
    budget: 3,
    transport: async () => ({ status: 200, headers: {}, body: (async function* () {})() }),
  });
  const send = () => recorder.transport({ method: 'GET', url: 'https://a.test/', headers: {} });
  recorder.reservedCalls = 2;
  await send();
  await expect(send()).rejects.toThrow('The budget of 3 calls is exhausted.');
  expect(recorder.budgetError).toBeInstanceOf(BudgetExceededError);
  recorder.ignoreBudget = true;
  await send();
  expect(recorder.budgetError).toBeUndefined();
  recorder.ignoreBudget = false;
  recorder.reservedCalls = 0;
  await send();
  await expect(send()).rejects.toThrow(BudgetExceededError);
  expect(recorder.calls).toBe(3);
});
