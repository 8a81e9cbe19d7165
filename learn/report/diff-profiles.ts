import { operations } from '../../src/operations/index.ts';
import type { ListProfile, ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { diffSchemas } from './diff-schemas.ts';

/** Returns sentences about what changed. Only facts that both profiles observed are compared. */
export function diffProfiles(before: ServiceProfile, now: ServiceProfile): string[] {
  const operationChanges = operations.flatMap(({ name }) => {
    const [old, current] = [before.operations[name], now.operations[name]];
    if (!old?.response?.seen || !current?.response?.seen) return [];
    return [
      ...diffResponses(name, old.response, current.response),
      ...(old.list && current.list ? diffLists(name, old.list, current.list) : []),
      ...(old.item && current.item ? diffValue(`${name}: path of the object`, old.item, current.item) : []),
    ];
  });
  const rejectionChanges = Object.entries(before.rejections).flatMap(([kind, old]) => {
    const current = now.rejections[kind as keyof typeof now.rejections];
    return old && current && old.seen > 0 === current.seen > 0 ? diffResponses(`error ${kind}`, old, current) : [];
  });
  const lostScopes = before.scopes.granted.filter((scope) => now.scopes.missing.includes(scope));
  const all = [
    ...diffFacts(before, now),
    ...operationChanges,
    ...rejectionChanges,
    ...lostScopes.map((scope) => `The key no longer has the scope ${scope}.`),
  ];
  return truncateChanges([...new Set(all)]);
}

/** Facts that don't depend on the contents of the account. */
const ACCOUNT_INDEPENDENT_FACTS = [
  'naming',
  'ids',
  'times',
  'nulls',
  'requestId',
  'uploadStart',
  'webhook',
  'webhookSecret',
  'removals',
] as const;

function diffFacts({ facts: before }: ServiceProfile, { facts: now }: ServiceProfile): string[] {
  return [
    ...diffFields('', ACCOUNT_INDEPENDENT_FACTS, [before, now]),
    ...diffFields('download ', ['by', 'status', 'at', 'sameOrigin'], [before.download, now.download]),
    ...diffFields('upload ', ['headers', 'encryption', 'sameOrigin', 'stored'], [before.upload, now.upload]),
    ...diffTtl('download', before.download?.ttlSeconds, now.download?.ttlSeconds),
    ...diffTtl('upload', before.upload?.ttlSeconds, now.upload?.ttlSeconds),
    ...diffValue('limit, calls per minute', before.limit?.calls, now.limit?.calls),
    ...diffValue('limit, retry hint', before.limit?.hint, now.limit?.hint),
  ];
}

function diffFields<T>(
  prefix: string,
  names: readonly (keyof T & string)[],
  [old, now]: readonly [T | undefined, T | undefined],
): string[] {
  return names.flatMap((name) => diffValue(`${prefix}${name}`, old?.[name], now?.[name]));
}

/** TTLs are measured, so a difference of up to a tenth is not a change. */
function diffTtl(label: string, old: number | undefined, now: number | undefined): string[] {
  if (old === undefined || now === undefined || Math.abs(old - now) <= Math.max(5, old * 0.1)) return [];
  return [`${label} lifetime: ${old} s before, ${now} s now.`];
}

function diffResponses(label: string, old: ResponseShape, now: ResponseShape): string[] {
  const getStableHeaders = ({ headers, seen }: ResponseShape) =>
    Object.keys(headers).filter(
      (name) => (headers[name]?.['x-seen'] ?? 0) >= Math.max(1, seen) && !PAGINATION_HEADER.test(name),
    );
  const removedHeaders = getStableHeaders(old).filter((name) => !(name in now.headers));
  const addedHeaders = getStableHeaders(now).filter((name) => !(name in old.headers));
  return [
    ...diffValue(`${label}: status`, old.status, now.status),
    ...diffValue(`${label}: type`, old.contentType ?? old.media, now.contentType ?? now.media),
    ...removedHeaders.map((name) => `${label}: the header ${name} was removed.`),
    ...addedHeaders.map((name) => `${label}: the header ${name} was added.`),
    ...(old.body && now.body ? diffSchemas(old.body, now.body).map((change) => `${label}: ${change}`) : []),
  ];
}

/** Headers that depend on the length of a list. */
const PAGINATION_HEADER = /^(?:link|location)$|next|page|content-range|total/;

function diffLists(name: string, old: ListProfile, now: ListProfile): string[] {
  const sharedParams = Object.keys(old.query).filter((param) => param in now.query);
  return [
    ...diffValue(`${name}: path of the items`, old.at, now.at),
    ...diffValue(`${name}: pagination`, old.next?.by, now.next?.by),
    ...diffValue(`${name}: next page parameters`, old.next?.params, now.next?.params),
    ...diffValue(`${name}: path of the next page`, old.next?.at, now.next?.at),
    ...diffValue(`${name}: path of "has more"`, old.more?.at, now.more?.at),
    ...diffValue(`${name}: path of the total`, old.total, now.total),
    ...diffFields(`${name}: page size, `, ['default', 'max', 'param'], [old.size, now.size]),
    ...diffValue(`${name}: order`, old.order, now.order),
    ...sharedParams.flatMap((param) => diffValue(`${name}: ${param}`, old.query[param], now.query[param])),
  ];
}

function diffValue(label: string, old: unknown, now: unknown): string[] {
  if (old === undefined || now === undefined || JSON.stringify(old) === JSON.stringify(now)) return [];
  return [`${label}: ${formatValue(old)} before, ${formatValue(now)} now.`];
}

function formatValue(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : value.join(value.every((one) => /^\w+$/.test(String(one))) ? '.' : ', ');
  return typeof value === 'object' ? Object.keys(value).join(', ') || 'nothing' : String(value);
}

const MAX_CHANGES = 200;

function truncateChanges(changes: readonly string[]): string[] {
  return changes.length <= MAX_CHANGES
    ? [...changes]
    : [...changes.slice(0, MAX_CHANGES), `… and ${changes.length - MAX_CHANGES} more.`];
}
