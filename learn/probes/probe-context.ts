import { randomBytes, randomUUID } from 'node:crypto';
import { type NamedOperation, type OperationName, operations } from '../../src/operations/index.ts';
import { getListName } from '../../src/operations/operation.ts';
import { type ParsedPage, parsePage } from '../../src/pagination/page.ts';
import type { ListProfile, ServiceProfile } from '../../src/profile/service-profile.ts';
import { idOf, type JsonObject } from '../../src/records/fields.ts';
import type { Topic } from '../questions/question.ts';
import type { RecordedResponse, Session } from './session.ts';

/** A list as first read. Its entries stay in memory and are never written. */
export interface ObservedList {
  readonly named: NamedOperation;
  readonly path: string;
  readonly response: RecordedResponse;
  readonly parsedPage: ParsedPage;
  readonly entries: readonly JsonObject[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** State that the probes share. */
export interface ProbeContext {
  readonly session: Session;
  readonly requestedTopics: ReadonlySet<Topic>;
  readonly previousProfile: ServiceProfile | undefined;
  readonly lists: Map<OperationName, ObservedList>;
  readonly pagination: Partial<Mutable<ListProfile>>;
  /** List that the pagination probe used. */
  paginatedList?: ObservedList;
  readonly query: Record<string, ListProfile['query'][string]>;
  /** Order of lists whose creation times don't show it. */
  order?: ListProfile['order'];
  /** Sentences about probes that were not possible. */
  readonly skippedReasons: string[];
}

export function getNamedOperation(name: OperationName): NamedOperation {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no operation ${name}`);
  return found;
}

/** Creates a request of an operation. `id` is part of its path. */
export function createProbeRequest(name: OperationName, id = '') {
  const [method, route = ''] = getNamedOperation(name).operation.route.split(' ');
  const path = route.replace('{id}', encodeURIComponent(id));
  return { method: method as 'GET', path, route, operation: name };
}

/** Requests a list with a query. */
export function requestList(
  { session }: ProbeContext,
  { named, path: route }: Pick<ObservedList, 'named' | 'path'>,
  request: { query: Record<string, string>; topic: Topic; path?: string },
): Promise<RecordedResponse | undefined> {
  return session.sendRequest({
    method: 'GET',
    path: route,
    route,
    operation: named.name,
    expected: 'page',
    ...request,
  });
}

/** Parses a list response as the client would; undefined if it has no list. */
export function parseList(
  { session }: ProbeContext,
  { named, path }: Pick<ObservedList, 'named' | 'path'>,
  response: RecordedResponse,
): ParsedPage | undefined {
  if (!response.ok || (response.json === undefined && response.text.trim() !== '')) return undefined;
  const { pathname: basePath } = new URL(session.client.baseUrl);
  const listUrl = new URL(response.url);
  listUrl.pathname = `${basePath}${path}`;
  listUrl.search = '';
  const request = { listUrl, query: response.url.searchParams, basePath, pathParams: {} };
  return parsePage(response.json, { resource: getListName(named.operation), headers: response.headers, request });
}

export function getListIds(context: ProbeContext, name: OperationName): string[] {
  const { named, entries = [] } = context.lists.get(name) ?? {};
  return entries.flatMap((entry) => idOf(entry, named?.group.replace(/s$/, '')) ?? []);
}

/** Creates a random ID in the service's format that no object has. */
export function createUnknownId(context: ProbeContext, name: OperationName): string {
  const [id = ''] = getListIds(context, name);
  const randomNumber = BigInt(`0x${randomBytes(6).toString('hex')}`);
  if (/^\d+$/.test(id)) return `9${String(randomNumber).padStart(15, '7').slice(-14)}`;
  if (/^[\da-f]{8}-[\da-f]{4}-/i.test(id)) return randomUUID();
  const hex = randomBytes(16).toString('hex');
  const [prefix] = /^[a-z]{1,12}[_-]/.exec(id) ?? [];
  // Starts with a letter: a service that parses IDs as numbers would read `7f3a…` as 7.
  return prefix === undefined ? `f${hex.slice(1)}` : `${prefix}${hex}`;
}
