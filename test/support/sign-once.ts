import { type Item, type ZapAnswer, type ZapStep, zapStep } from './zap-step.ts';

export const PEOPLE = [{ email: 'ann@a.test' }];
export const DRAFT = { id: 'a1', status: 'draft', messageIncluded: false };
export const DOCUMENT = { id: 'd1', name: 'NDA' };
export const CREATE = 'POST /agreements';
export const SEND = 'POST /agreements/a1/send';
export const FILE = { file: 'data:,some words' };

export interface SigningScript {
  /** State stored by an earlier run. */
  readonly left?: unknown;
  readonly source?: Item;
  readonly isStoring?: boolean;
  /** Responses to the list of agreements, a creation, a send, and an upload. */
  readonly list?: ZapAnswer;
  readonly create?: ZapAnswer;
  readonly send?: ZapAnswer;
  readonly store?: ZapAnswer;
}
export const listed = (more: Item = {}): ZapAnswer => ({
  json: { data: [{ id: 'a1', status: 'draft', recipients: PEOPLE, ...more }] },
});
export const NONE: ZapAnswer = { json: { data: [] } };
export const HIDDEN: ZapAnswer = { status: 403, json: { message: 'missing scope' } };
export const failing = (status: number): ZapAnswer => ({ status, json: { message: 'Not today' } });
export const created = (more: Item = {}): ZapAnswer => ({
  status: 201,
  json: { id: 'a1', status: 'Draft', recipients: PEOPLE, ...more },
});

/** Adds the code of an error to its message, as the platform does. */
class CodedError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** One run: its result or error, its write requests, and the states that it stored, in order. */
export async function signOnce({
  left,
  source = { template: 't1' },
  isStoring = true,
  ...responses
}: SigningScript = {}) {
  let answers = responses;
  const step = zapStep(({ method, path }): ZapAnswer => {
    const { list = listed(), create = created(), send = { json: { ok: true } } } = answers;
    if (method === 'GET') return list;
    if (path === '/documents/uploads')
      return { json: { uploadUrl: 'https://store.test/a', headers: {}, storageKey: 'k', token: 't' } };
    // Only an upload to the storage creates documents without an ID.
    if (path === '/documents') return { status: 415, json: {} };
    if (method === 'PUT') return { json: {} };
    if (path.startsWith('/documents')) return answers.store ?? { status: 201, json: DOCUMENT };
    return path === '/agreements' ? create : send;
  });
  Object.assign(step.z.errors, { Error: CodedError });
  const inputData = { name: 'NDA', signers: [{ signer_email: 'ann@a.test' }], fields: { due: 'soon' }, ...source };
  const run = () => step.act('send_for_signature', inputData);
  if (left !== undefined) await leaveState(step, run, left);
  const stored = watchStates(step, isStoring);
  answers = responses;
  const { shown, error } = await run().then(
    (shown) => ({ shown, error: undefined }),
    (error: CodedError) => ({ shown: undefined, error }),
  );

  /** Makes a first run fail after it created a draft without signers, and replaces its stored state. */
  async function leaveState({ cache, calls }: ZapStep, first: () => Promise<unknown>, state: unknown) {
    answers = { create: created({ recipients: [] }), list: listed({ recipients: [] }) };
    await first().catch(() => undefined);
    for (const key of cache.keys()) cache.set(key, state);
    calls.length = 0;
  }
  const did = step.routes().filter((route) => route.startsWith('POST'));
  return { shown, error, said: error?.message, name: error?.name, stored, did, bodyOf: step.bodyOf };
}

function watchStates({ z }: ZapStep, isStoring: boolean): unknown[] {
  const stored: unknown[] = [];
  const { set } = z.cache;
  z.cache.set = async (...args: Parameters<typeof set>) => {
    if (String(args[0]).startsWith('unfinished') && JSON.stringify(stored.at(-1)) !== JSON.stringify(args[1]))
      stored.push(args[1]);
    if (!isStoring) throw new Error('down');
    return set(...args);
  };
  return stored;
}
