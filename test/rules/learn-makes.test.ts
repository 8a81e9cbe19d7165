/** What the learner tells before it makes something, keeps of its budget to remove it, and what it counts as gone. */
import { describe, expect, test } from 'vitest';
import { BudgetSpentError, createRecorder } from '../../learn/wire/recorder.ts';
import type { Answer } from '../../learn/wire/session.ts';
import { createDeeds } from '../../learn/write/deeds.ts';
import { making, remove, type Writing } from '../../learn/write/maker.ts';
import type { Open } from '../../learn/write/open.ts';
import { idIn, removeAll, removeOne, searchFor } from '../../learn/write/remove.ts';
import { ApiError, type Client, IncompleteListError, NetworkError } from '../../src/index.ts';
import { standIn } from '../world/stand-in.ts';

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
    const words = ({ open, doubts, spared }: Open) =>
      [open, doubts, spared].map((one) => one.join()).join('|');
    const deeds = createDeeds(MARKER, {
      journal: {
        path: '',
        write: (state) => hear(`journal ${words(state)}`),
        end: () => hear('journal ends'),
      },
      janitor: { tell: (state) => hear(`janitor ${words(state)}`), dismiss: () => hear('janitor goes') },
    });
    return { deeds, heard };
  }

  test('are known to journal and janitor before they are done: a kill then leaves nothing', async () => {
    const { deeds, heard } = make();
    await deeds.about('/links');
    expect(heard).toEqual(['journal |/links|', 'janitor |/links|']);
  });

  test('leave of two doubts in one list the other when one is cleared', async () => {
    const { deeds } = make();
    await deeds.about('/links');
    await deeds.about('/links');
    await deeds.made('/links/a', '/links');
    expect([deeds.open, deeds.doubts]).toEqual([['/links/a'], ['/links']]);
    await deeds.refused('/links');
    expect(deeds.doubts).toEqual([]);
    await deeds.removed('/links/a');
    expect([deeds.open, [...deeds.touched]]).toEqual([[], ['/links']]);
  });

  test('that are all undone send the janitor home before the journal goes', async () => {
    const { deeds, heard } = make();
    await deeds.done();
    expect(heard).toEqual(['janitor goes', 'journal ends']);
  });
});

/** A run with so many calls left, whose service gives these answers. */
function make({ left = 10, aborted = false } = {}) {
  const recorder = { left, reserved: 0 };
  const answers: Answer[] = [];
  const signal = aborted ? AbortSignal.abort('stop') : new AbortController().signal;
  const deeds = createDeeds(MARKER, {});
  const gone: string[] = [];
  const client = standIn<Client>({ request: async ({ path }: { path: string }) => void gone.push(path) });
  const ask = async () => answers.at(-1);
  const writing = standIn<Writing>({
    world: { session: { recorder, answers, signal, client, ask }, lists: new Map(), gaps: [] },
    deeds,
  });
  const answered = (status: number, json?: unknown) => {
    const answer = standIn<Answer>({ status, json, ok: status < 300, headers: {} });
    answers.push(answer);
    return answer.ok ? answer : undefined;
  };
  return { writing, recorder, deeds, answered, answers, gone };
}

describe('making one', () => {
  test('keeps two calls to remove it again', async () => {
    const { writing, recorder, deeds, answered } = make();
    const made = await making(writing, '/links', async () => answered(201, { id: 'a/b' }));
    expect([made?.path, recorder.reserved]).toEqual(['/links/a%2Fb', 2]);
    expect([deeds.open, deeds.doubts]).toEqual([['/links/a%2Fb'], []]);
  });

  test.each([[400], [404, 422], [403]])(
    'that is refused (%j) keeps none, and nobody looks for it',
    async (...statuses) => {
      const { writing, recorder, deeds, answered } = make();
      await making(writing, '/links', async () => statuses.map((status) => answered(status)).at(-1));
      expect([recorder.reserved, deeds.doubts]).toEqual([0, []]);
    },
  );

  test.each([[500], [422, 503], []])(
    'whose answer (%j) leaves open whether it is there is looked for',
    async (...statuses) => {
      const { writing, recorder, deeds, answered } = make();
      await making(writing, '/links', async () => statuses.map((status) => answered(status)).at(-1));
      expect([recorder.reserved, deeds.doubts]).toEqual([2, ['/links']]);
    },
  );

  test('is not begun without the calls to remove it, nor after a stop', async () => {
    let asked = 0;
    const call = async () => {
      asked += 1;
      return undefined;
    };
    for (const left of [0, 1, 2])
      await expect(making(make({ left }).writing, '/links', call)).rejects.toThrow(BudgetSpentError);
    await expect(making(make({ aborted: true }).writing, '/links', call)).rejects.toBe('stop');
    expect(asked).toBe(0);
  });

  test('that the budget forbade before anything went out is in no doubt; one that broke off later is', async () => {
    const spent = () => Promise.reject(new BudgetSpentError('used up'));
    const first = make();
    await expect(making(first.writing, '/links', spent)).rejects.toThrow('used up');
    expect(first.deeds.doubts).toEqual([]);
    const later = make();
    const call = () => {
      later.answered(503);
      return spent();
    };
    await expect(making(later.writing, '/links', call)).rejects.toThrow('used up');
    expect(later.deeds.doubts).toEqual(['/links']);
  });
});

test.each([
  [200, []],
  [404, []],
  [410, []],
  [500, ['/links/a']],
])('a removal that is answered %i is done, or tried once more', async (status, again) => {
  const { writing, deeds, answered, answers, gone } = make();
  await deeds.made('/links/a', '/links');
  answered(status);
  await remove(writing, { id: 'a', path: '/links/a', answer: standIn(answers[0] ?? {}) });
  expect([gone, deeds.open]).toEqual([again, []]);
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
  expect(await removeOne(standIn<Client>({ request: () => Promise.reject(error) }), '/links/a')).toBe(isGone);
});

describe('what bears the name in a list', () => {
  const clientOf = (collect: () => Promise<readonly object[]>) =>
    standIn<Client>({ links: { list: () => ({ collect }) }, request: async () => undefined });
  const own = { id: 'mine', name: MARKER };

  test('is found in what came of a list that ends early, too', async () => {
    const incomplete = new IncompleteListError({
      operation: 'links.list',
      reason: 'x',
      itemsRead: 1,
      items: [own],
    });
    const client = clientOf(() => Promise.reject(incomplete));
    expect(await searchFor(client, { list: '/links', marker: MARKER })).toEqual(['/links/mine']);
  });

  test.each(['.', '..'])('has an id that is no step in a path: %s is none', async (id) => {
    const client = clientOf(async () => [{ ...own, id }]);
    expect(await searchFor(client, { list: '/links', marker: MARKER })).toEqual([]);
    expect(idIn({ id }, 'links')).toBeUndefined();
  });

  test('is looked for again where a request may still be at work, and what is never found is told', async () => {
    const answers = [[], [own], []];
    const asked: number[] = [];
    const client = clientOf(async () => answers[asked.push(1) - 1] ?? []);
    const doubts = { open: [], doubts: ['/links'], spared: [], marker: MARKER };
    expect(await removeAll(client, doubts, { waitsMs: [0, 1, 1] })).toEqual({ left: [], unfound: [] });
    expect(asked.length).toBe(3);
    expect(await removeAll(client, doubts)).toEqual({ left: [], unfound: ['/links'] });
  });
});

test('a budget is counted to its end, but for what removes; then it allows what was kept back', async () => {
  const recorder = createRecorder({
    budget: 3,
    transport: async () => ({ status: 200, headers: {}, body: (async function* () {})() }),
  });
  const send = () => recorder.transport({ method: 'GET', url: 'https://a.test/', headers: {} });
  recorder.reserved = 2;
  await send();
  await expect(send()).rejects.toThrow('The budget of 3 calls is used up.');
  expect(recorder.spent).toBeInstanceOf(BudgetSpentError);
  recorder.unbound = true;
  await send();
  expect(recorder.spent).toBeUndefined();
  recorder.unbound = false;
  recorder.reserved = 0;
  await send();
  await expect(send()).rejects.toThrow(BudgetSpentError);
  expect(recorder.calls).toBe(3);
});
