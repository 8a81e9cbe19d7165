import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Bundle, ZObject } from 'zapier-platform-core';
import app from '../../zapier/index.ts';
import { createStub } from './create-stub.ts';

export type Item = Record<string, unknown>;

/** A request of a step, as the scripted service receives it. */
export interface ZapCall {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The response: status 200 by default; undefined is a 404. */
export type ZapAnswer =
  | {
      readonly status?: number;
      readonly json?: unknown;
      /** Sent instead of JSON. */
      readonly bytes?: Readable;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | undefined;

let steps = 0;
const BASE = 'https://api.test/api/v1';

/** Runs steps without the platform, a process or a socket. The service is `answer`, which may throw a network error. */
export function zapStep(answer: (call: ZapCall) => ZapAnswer) {
  const calls: ZapCall[] = [];
  const cache = new Map<string, unknown>();
  const logs: string[] = [];
  let cursor: string | null = null;
  const z = createStub<ZObject>({
    async request({ url, method, body }: { url: string; method: string; body?: unknown }) {
      const { pathname, searchParams } = new URL(url);
      if (body instanceof Readable) for await (const _ of body);
      const sent = body === undefined || body instanceof Readable ? undefined : String(body);
      const call: ZapCall = {
        method,
        path: pathname.replace('/api/v1', ''),
        query: Object.fromEntries(searchParams),
        body: sent === undefined ? undefined : JSON.parse(sent),
      };
      calls.push(call);
      const answered: ZapAnswer = answer(call) ?? { status: 404, json: { message: 'Not found' } };
      const { status = 200, json, headers: more, bytes } = answered;
      const text = json === undefined ? [] : [Buffer.from(JSON.stringify(json))];
      const headers = new Headers({ 'content-type': 'application/json', ...more });
      return { status, headers, body: bytes ?? Readable.from(text) };
    },
    errors: {
      Error: CodedError,
      HaltedError: named('HaltedError'),
      ThrottledError: named('ThrottledError'),
      ExpiredAuthError: named('ExpiredAuthError'),
      RefreshAuthError: named('RefreshAuthError'),
    },
    hash: (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex'),
    console: { log: (line: string) => logs.push(line) },
    dehydrateFile: (_: unknown, input: object) => `hydrate|||${JSON.stringify(input)}`,
    cursor: {
      get: async () => cursor,
      set: async (text: string) => {
        cursor = text;
        return null;
      },
    },
    cache: {
      get: async (key: string) => cache.get(key) ?? null,
      set: async (key: string, value: unknown, _ttl: number, _scope: string[], nx?: boolean) => {
        if (nx && cache.has(key)) return false;
        cache.set(key, value);
        return true;
      },
      delete: async (key: string) => cache.delete(key),
    },
  });

  // Each step has its own key, because a pause that a service requests applies to all calls with that key.
  steps += 1;
  const authData = { apiKey: `key_of_step_${steps}_1234567890`, baseUrl: BASE };
  const run = <Result = Item>(perform: unknown, bundle: Partial<Bundle> = {}) =>
    (perform as (z: ZObject, bundle: Bundle) => Promise<Result>)(z, {
      authData,
      inputData: {},
      meta: {},
      ...bundle,
    } as Bundle);
  return {
    z,
    calls,
    logs,
    cache,
    /** Runs a function of the app's definition, which the platform's types do not show as one. */
    run,
    act: (key: string, inputData: Item, bundle: object = {}) =>
      run(getOperation('creates', key)['perform'], { inputData, ...bundle }),
    find: (key: string, inputData: Item = {}) => run<Item[]>(getOperation('searches', key)['perform'], { inputData }),
    trigger: <Result = Item[]>(key: string, bundle: object = {}, method = 'perform') =>
      run<Result>(getOperation('triggers', key)[method], bundle),
    routes: () => calls.map(({ method, path }) => `${method} ${path}`),
    count: (route: string) => calls.filter(({ method, path }) => `${method} ${path}` === route).length,
    bodyOf: (route: string) => calls.findLast(({ method, path }) => `${method} ${path}` === route)?.body,
  };
}

export type ZapStep = ReturnType<typeof zapStep>;

export function getOperation(group: 'creates' | 'searches' | 'triggers', key: string): Item {
  const operation = app[group]?.[key]?.operation;
  if (!operation) throw new Error(`The app has no ${group}.${key}`);
  return createStub<Item>(operation);
}

/** Returns the function behind the choices of a form field. */
export function getChoices(group: 'creates' | 'searches', key: string, field: string): unknown {
  const { inputFields } = getOperation(group, key) as {
    inputFields: { key?: string; choices?: { perform: unknown } }[];
  };
  return inputFields.find((candidate) => candidate.key === field)?.choices?.perform;
}

/** Returns a list that continues by a cursor; `withhold` may answer a request before the list does. */
export function serveList(
  items: () => readonly Item[],
  { pageSize = 100, withhold }: { pageSize?: number; withhold?: (call: ZapCall) => ZapAnswer } = {},
): ZapStep {
  return zapStep((call) => {
    const from = Number(call.query['cursor'] ?? 0);
    const all = items();
    const more = from + pageSize < all.length ? { next_cursor: String(from + pageSize) } : {};
    return withhold?.(call) ?? { json: { data: all.slice(from, from + pageSize), ...more } };
  });
}

/** Runs one action. */
export async function act(key: string, input: Item, answer: (call: ZapCall) => ZapAnswer) {
  const step = zapStep(answer);
  const outcome = await outcomeOf(step.act(key, input));
  return { ...step, outcome, writes: step.calls.filter(({ method }) => method !== 'GET') };
}

/** Returns the result of `run`, or the name and message of its error. */
export const outcomeOf = (run: Promise<unknown>): Promise<unknown> =>
  run.catch(({ name, message }: Error) => `${name}: ${message}`);

/** An error of the app, with its code, which the platform adds to the message. */
export class CodedError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

function named(name: string) {
  return class extends Error {
    override name = name;
  };
}
