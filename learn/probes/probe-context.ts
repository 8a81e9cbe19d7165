import { randomBytes, randomUUID } from 'node:crypto';
import { type NamedOperation, type OperationName, operations } from '../../src/operations/index.ts';
import { type ReadPage, readPage } from '../../src/pagination/page.ts';
import type { LearnedList, ServiceProfile } from '../../src/profile/service-profile.ts';
import { idOf, type JsonObject } from '../../src/records/fields.ts';
import type { Topic } from '../questions/question.ts';
import type { RecordedResponse, Session } from './session.ts';

/** A list as it was first seen: its entries stay in memory and are written nowhere. */
export interface ObservedList {
  readonly named: NamedOperation;
  readonly path: string;
  readonly response: RecordedResponse;
  readonly parsedPage: ReadPage;
  readonly entries: readonly JsonObject[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the probes find out and hand to one another. */
export interface ProbeContext {
  readonly session: Session;
  readonly requestedTopics: ReadonlySet<Topic>;
  /** What an earlier run learned. */
  readonly previousProfile: ServiceProfile | undefined;
  readonly lists: Map<OperationName, ObservedList>;
  /** What was found out about lists by asking again. */
  readonly pagination: Partial<Mutable<LearnedList>>;
  /** The list that paging was tried on. */
  paginatedList?: ObservedList;
  readonly query: Record<string, LearnedList['query'][string]>;
  /** In words, what could not be asked and why. */
  readonly skippedReasons: string[];
}

export function getOperation(name: OperationName): NamedOperation {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

export function getMethodAndRoute({ operation }: NamedOperation): { method: 'GET'; route: string } {
  const [method = '', route = ''] = operation.route.split(' ');
  // The catalogue's methods are those of a raw request.
  return { method: method as 'GET', route };
}

/** Reads a list answer as the client would; undefined where it holds none. */
export function parseList(
  response: RecordedResponse,
  { named, path, basePath }: { named: NamedOperation; path: string; basePath: string },
): ReadPage | undefined {
  if (!response.ok) return undefined;
  const listUrl = new URL(response.url);
  listUrl.pathname = `${basePath}${path}`;
  listUrl.search = '';
  const resource = named.operation.route.split('/').at(-1) ?? '';
  const request = { listUrl, query: response.url.searchParams, basePath, pathParams: {} };
  if (response.json === undefined && response.text.trim() !== '') return undefined;
  return readPage(response.json, { resource, headers: response.headers, request });
}

/** The ids of a list's entries, the most promising entry first. */
export function getListIds(context: ProbeContext, name: OperationName): string[] {
  const { named, entries = [] } = context.lists.get(name) ?? {};
  return entries.flatMap((entry) => idOf(entry, named?.group.replace(/s$/, '')) ?? []);
}

/** An id of the form that the service gives, drawn anew, so that no object has it. */
export function createUnknownId(context: ProbeContext, name: OperationName): string {
  const [id = ''] = getListIds(context, name);
  if (/^\d+$/.test(id))
    return `9${BigInt(`0x${randomBytes(6).toString('hex')}`)
      .toString()
      .padStart(15, '7')
      .slice(-14)}`;
  if (/^[\da-f]{8}-[\da-f]{4}-/i.test(id)) return randomUUID();
  const prefix = /^[a-z]{1,12}[_-]/.exec(id)?.[0] ?? '';
  // A letter first: a service that reads ids as numbers would take `7f3a…` for its seventh.
  return `${prefix}${prefix === '' ? 'f' : ''}${randomBytes(16)
    .toString('hex')
    .slice(prefix === '' ? 1 : 0)}`;
}

export function getBasePath({ session }: ProbeContext): string {
  return new URL(session.client.baseUrl).pathname;
}
