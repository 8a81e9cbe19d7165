import { operations } from '../../src/operations/index.ts';
import type { ListProfile, ResponseShape, ServiceProfile } from '../../src/profile/format.ts';
import { schemaChanges } from './schema-changes.ts';

/** What a service does otherwise than it was seen to before, in words; only what both have seen is compared. */
export function changesBetween(before: ServiceProfile, now: ServiceProfile): string[] {
  const called = operations.flatMap(({ name }) => {
    const [old, fresh] = [before.operations[name], now.operations[name]];
    const isSeen = (old?.answer?.seen ?? 0) > 0 && (fresh?.answer?.seen ?? 0) > 0;
    return [
      ...(isSeen && old?.answer && fresh?.answer ? answerChanges(name, old.answer, fresh.answer) : []),
      ...(isSeen && old?.list && fresh?.list ? listChanges(name, old.list, fresh.list) : []),
      ...(isSeen && old?.item && fresh?.item
        ? valueChange(`${name}: the object stands under`, old.item, fresh.item)
        : []),
    ];
  });
  const refused = Object.entries(before.refusals).flatMap(([kind, old]) => {
    const fresh = now.refusals[kind as keyof typeof now.refusals];
    return old && fresh && old.seen > 0 === fresh.seen > 0
      ? answerChanges(`refusal ${kind}`, old, fresh)
      : [];
  });
  const lost = before.scopes.granted.filter((scope) => now.scopes.missing.includes(scope));
  const all = [
    ...factChanges(before, now),
    ...called,
    ...refused,
    ...lost.map((scope) => `The key no longer has the scope ${scope}.`),
  ];
  return shortened([...new Set(all)]);
}

/** Facts that don't depend on what is in the account. */
const PLAIN_FACTS = [
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

function factChanges({ facts: before }: ServiceProfile, { facts: now }: ServiceProfile): string[] {
  const plain = PLAIN_FACTS.flatMap((name) => valueChange(name, before[name], now[name]));
  const { download: old, upload, limit } = before;
  const fresh = now.download;
  const file =
    old && fresh
      ? (['by', 'status', 'at', 'sameOrigin'] as const).flatMap((name) =>
          valueChange(`download ${name}`, old[name], fresh[name]),
        )
      : [];
  const { upload: up } = now;
  const storage =
    upload && up
      ? (['headers', 'encryption', 'sameOrigin', 'stored'] as const).flatMap((name) =>
          valueChange(`upload ${name}`, upload[name], up[name]),
        )
      : [];
  return [
    ...plain,
    ...file,
    ...storage,
    ...lifeChange('download', old?.life, fresh?.life),
    ...lifeChange('upload', upload?.life, up?.life),
    ...valueChange('limit, calls a minute', limit?.calls, now.limit?.calls),
    ...valueChange('limit, how it is said', limit?.hint, now.limit?.hint),
  ];
}

/** Lives are read off a clock: a tenth more or less is the same. */
function lifeChange(what: string, old: number | undefined, now: number | undefined): string[] {
  if (old === undefined || now === undefined || Math.abs(old - now) <= Math.max(5, old * 0.1)) return [];
  return [`${what} life: ${old} s before, ${now} s now.`];
}

function answerChanges(what: string, old: ResponseShape, now: ResponseShape): string[] {
  const always = ({ headers, seen }: ResponseShape) =>
    Object.keys(headers).filter(
      (name) => (headers[name]?.['x-seen'] ?? 0) >= Math.max(1, seen) && !PAGED.test(name),
    );
  const gone = always(old).filter((name) => !(name in now.headers));
  const added = always(now).filter((name) => !(name in old.headers));
  return [
    ...valueChange(`${what}: status`, old.status, now.status),
    ...valueChange(`${what}: type`, old.contentType ?? old.media, now.contentType ?? now.media),
    ...gone.map((name) => `${what}: the header ${name} is gone.`),
    ...added.map((name) => `${what}: the header ${name} is new.`),
    ...(old.body && now.body ? schemaChanges(old.body, now.body).map((change) => `${what}: ${change}`) : []),
  ];
}

/** Headers that come and go with the length of a list. */
const PAGED = /^(?:link|location)$|next|page|content-range|total/;

function listChanges(name: string, old: ListProfile, now: ListProfile): string[] {
  const asked = Object.keys(old.query).filter((param) => param in now.query);
  return [
    ...valueChange(`${name}: entries stand under`, old.at, now.at),
    ...valueChange(`${name}: pages by`, old.next?.by, now.next?.by),
    ...valueChange(`${name}: the next page is asked for by`, old.next?.params, now.next?.params),
    ...valueChange(`${name}: the next page stands under`, old.next?.at, now.next?.at),
    ...valueChange(`${name}: more follows where`, old.more?.at, now.more?.at),
    ...valueChange(`${name}: all are counted under`, old.total, now.total),
    ...(['usual', 'most', 'param'] as const).flatMap((part) =>
      valueChange(`${name}: page size, ${part}`, old.size[part], now.size[part]),
    ),
    ...valueChange(`${name}: begins with the`, old.order, now.order),
    ...asked.flatMap((param) => valueChange(`${name}: ${param}`, old.query[param], now.query[param])),
  ];
}

function valueChange(what: string, old: unknown, now: unknown): string[] {
  if (old === undefined || now === undefined || JSON.stringify(old) === JSON.stringify(now)) return [];
  return [`${what}: ${inWords(old)} before, ${inWords(now)} now.`];
}

function inWords(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value))
    return value.length === 0
      ? 'nothing'
      : value.join(value.every((one) => /^\w+$/.test(String(one))) ? '.' : ', ');
  return typeof value === 'object' ? Object.keys(value).join(', ') || 'nothing' : String(value);
}

const MAX_CHANGES = 200;

function shortened(changes: readonly string[]): string[] {
  return changes.length <= MAX_CHANGES
    ? [...changes]
    : [...changes.slice(0, MAX_CHANGES), `… and ${changes.length - MAX_CHANGES} more.`];
}
