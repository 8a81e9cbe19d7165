/** What the learner tells before it makes something, keeps of its budget to remove it, and what it counts as gone. */
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

describe('deeds', () => {
  /** Keepers that hear slowly, and all that they heard, in order. */
  function make() {
    const heard: string[] = [];
    const hear = async (what: string) => {
      // The journal is the slower of the two.
      for (let turn = what.startsWith('journal') ? 3 : 1; turn > 0; turn--)
        await new Promise((resolve) => setImmediate(resolve));
      heard.push(what);
    };
    const words = ({ remainingPaths, unverifiedLists, preexisting }: PendingCleanup) =>
      [remainingPaths, unverifiedLists, preexisting].map((one) => one.join()).join('|');
    const deeds = trackCreatedResources(MARKER, {
      journal: { path: '', write: (state) => hear(`journal ${words(state)}`), delete: () => hear('journal ends') },
      cleanupProcess: { update: (state) => hear(`cleanup ${words(state)}`), stop: () => hear('cleanup goes') },
    });
    return { deeds, heard };
  }

  test('are known to journal and cleanup process before they are done: a kill then leaves nothing', async () => {
    const { deeds, heard } = make();
    await deeds.beforeCreate('/links');
    expect(heard).toEqual(['journal |/links|', 'cleanup |/links|']);
  });

  test('leave of two doubts in one list the other when one is cleared', async () => {
    const { deeds } = make();
    await deeds.beforeCreate('/links');
    await deeds.beforeCreate('/links');
    await deeds.recordCreated('/links/a', '/links');
    expect([deeds.pending.remainingPaths, deeds.pending.unverifiedLists]).toEqual([['/links/a'], ['/links']]);
    await deeds.recordRejected('/links');
    expect(deeds.pending.unverifiedLists).toEqual([]);
    await deeds.recordRemoved('/links/a');
    expect([deeds.pending.remainingPaths, [...deeds.touchedLists]]).toEqual([[], ['/links']]);
  });

  test('that are all undone send the cleanup process home before the journal goes', async () => {
    const { deeds, heard } = make();
    await deeds.finish();
    expect(heard).toEqual(['cleanup goes', 'journal ends']);
  });
});

/** A run with so many calls left, whose service gives these answers. */
function make({ left = 10, aborted = false } = {}) {
  const recorder = { remainingCalls: left, reservedCalls: 0 };
  const responses: RecordedResponse[] = [];
  const signal = aborted ? AbortSignal.abort('stop') : new AbortController().signal;
  const deeds = trackCreatedResources(MARKER, {});
  const gone: string[] = [];
  const client = createStub<Client>({ request: async ({ path }: { path: string }) => void gone.push(path) });
  const sendRequest = async () => responses.at(-1);
  const writing = createStub<WriteContext>({
    context: { session: { recorder, responses, signal, client, sendRequest }, lists: new Map(), skippedReasons: [] },
    createdResources: deeds,
  });
  const answered = (status: number, json?: unknown) => {
    const answer = createStub<RecordedResponse>({ status, json, ok: status < 300, headers: {} });
    responses.push(answer);
    return answer.ok ? answer : undefined;
  };
  return { writing, recorder, deeds, answered, responses, gone };
}

describe('making one', () => {
  test('keeps two calls to remove it again', async () => {
    const { writing, recorder, deeds, answered } = make();
    const made = await trackCreation(writing, '/links', async () => answered(201, { id: 'a/b' }));
    expect([made?.path, recorder.reservedCalls]).toEqual(['/links/a%2Fb', 2]);
    expect([deeds.pending.remainingPaths, deeds.pending.unverifiedLists]).toEqual([['/links/a%2Fb'], []]);
  });

  test.each([[400], [404, 422], [403]])(
    'that is refused (%j) keeps none, and nobody looks for it',
    async (...statuses) => {
      const { writing, recorder, deeds, answered } = make();
      await trackCreation(writing, '/links', async () => statuses.map((status) => answered(status)).at(-1));
      expect([recorder.reservedCalls, deeds.pending.unverifiedLists]).toEqual([0, []]);
    },
  );

  test.each([[500], [422, 503], []])(
    'whose answer (%j) leaves open whether it is there is looked for',
    async (...statuses) => {
      const { writing, recorder, deeds, answered } = make();
      await trackCreation(writing, '/links', async () => statuses.map((status) => answered(status)).at(-1));
      expect([recorder.reservedCalls, deeds.pending.unverifiedLists]).toEqual([2, ['/links']]);
    },
  );

  test('is not begun without the calls to remove it, nor after a stop', async () => {
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

  test('that the budget forbade before anything went out is in no doubt; one that broke off later is', async () => {
    const spent = () => Promise.reject(new BudgetExceededError('used up'));
    const first = make();
    await expect(trackCreation(first.writing, '/links', spent)).rejects.toThrow('used up');
    expect(first.deeds.pending.unverifiedLists).toEqual([]);
    const later = make();
    const call = () => {
      later.answered(503);
      return spent();
    };
    await expect(trackCreation(later.writing, '/links', call)).rejects.toThrow('used up');
    expect(later.deeds.pending.unverifiedLists).toEqual(['/links']);
  });
});

test.each([
  [200, []],
  [404, []],
  [410, []],
  [500, ['/links/a']],
])('a removal that is answered %i is done, or tried once more', async (status, again) => {
  const { writing, deeds, answered, responses, gone } = make();
  await deeds.recordCreated('/links/a', '/links');
  answered(status);
  await removeObject(writing, { id: 'a', path: '/links/a', response: createStub(responses[0] ?? {}) });
  expect([gone, deeds.pending.remainingPaths]).toEqual([again, []]);
});

const refusal = (status: number) =>
  new ApiError('No.', { status, operation: 'links.delete', scope: 'links:write', body: '' });
test.each<[unknown, boolean]>([
  [refusal(404), true],
  [refusal(410), true],
  [refusal(403), false],
  [refusal(500), false],
  [new NetworkError('away'), false],
])('after %s it is gone: %s', async (error, isGone) => {
  expect(await removeOne(createStub<Client>({ request: () => Promise.reject(error) }), '/links/a')).toBe(isGone);
});

describe('what bears the name in a list', () => {
  const clientOf = (collect: () => Promise<readonly object[]>) =>
    createStub<Client>({ links: { list: () => ({ collect }) }, request: async () => undefined });
  const own = { id: 'mine', name: MARKER };

  test('is found in what came of a list that ends early, too', async () => {
    const incomplete = new IncompleteListError({ operation: 'links.list', reason: 'x', itemsRead: 1, items: [own] });
    const client = clientOf(() => Promise.reject(incomplete));
    expect(await findMarkedPaths(client, { list: '/links', marker: MARKER, preexisting: [] })).toEqual(['/links/mine']);
  });

  test.each(['.', '..'])('has an id that is no step in a path: %s is none', async (id) => {
    const client = clientOf(async () => [{ ...own, id }]);
    expect(await findMarkedPaths(client, { list: '/links', marker: MARKER, preexisting: [] })).toEqual([]);
    expect(extractId({ id }, 'links')).toBeUndefined();
  });

  test('is looked for again where a request may still be at work, and what is never found is told', async () => {
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

test('a budget is counted to its end, but for what removes; then it allows what was kept back', async () => {
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
