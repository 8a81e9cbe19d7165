import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { platformWith } from './zapier-z.ts';

/** A call of a step as a scripted service sees it. */
export interface ZapCall {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What it answers: `status` 200 unless told. Undefined: 404. */
export type ZapAnswer =
  | {
      readonly status?: number;
      readonly json?: unknown;
      /** In place of JSON. */
      readonly bytes?: Readable;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | undefined;

let made = 0;
const BASE = 'https://api.test/api/v1';

/**
 * A step without the platform: `z` and the calls it made, with a service of the test's own behind it. No process, no
 * socket; for what one step makes of answers. That the platform runs it so is shown in `test/zapier`.
 */
export function zapStep(answer: (call: ZapCall) => ZapAnswer) {
  const calls: ZapCall[] = [];
  const cache = new Map<string, unknown>();
  const logs: string[] = [];
  let cursor: string | null = null;
  const z = platformWith({
    async request({ url, method, body }: { url: string; method: string; body?: unknown }) {
      const { pathname, searchParams } = new URL(url);
      // A file is a stream, and is read; what is told of a call is its JSON.
      if (body instanceof Readable) for await (const _ of body);
      const sent = body === undefined || body instanceof Readable ? undefined : String(body);
      const call: ZapCall = {
        method,
        path: pathname.replace('/api/v1', ''),
        query: Object.fromEntries(searchParams),
        body: sent === undefined ? undefined : JSON.parse(sent),
      };
      calls.push(call);
      const {
        status = 200,
        json,
        headers: more,
        bytes,
      } = answer(call) ?? { status: 404, json: { message: 'Not found' }, headers: {} };
      const text = json === undefined ? [] : [Buffer.from(JSON.stringify(json))];
      const headers = new Headers({ 'content-type': 'application/json', ...more });
      return { status, headers, body: bytes ?? Readable.from(text) };
    },
    errors: {
      Error: named('Error'),
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

  // One of its own: a pause that a service asks for holds all calls of a key.
  made += 1;
  const authData = { apiKey: `key_of_step_${made}_1234567890`, baseUrl: BASE };
  return {
    z,
    calls,
    logs,
    cache,
    /** Runs a function of the app's definition, which the platform's types don't show as one. */
    run: <Result = Record<string, unknown>>(perform: unknown, bundle: Partial<Bundle> = {}) =>
      (perform as (z: ZObject, bundle: Bundle) => Promise<Result>)(z, {
        authData,
        inputData: {},
        meta: {},
        ...bundle,
      } as Bundle),
  };
}

function named(name: string) {
  return class extends Error {
    override name = name;
  };
}
