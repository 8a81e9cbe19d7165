import type { Schema } from '../../src/profile/json-schema.ts';
import type { ResponseShape } from '../../src/profile/service-profile.ts';
import { splitWords } from '../../src/split-words.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { RecordedResponse } from '../probes/session.ts';
import { isFieldName } from './field-names.ts';
import { inferStringSchema } from './infer-scalar-schema.ts';
import { inferSchema } from './infer-schema.ts';
import { mergeSchemas } from './merge-schemas.ts';

/** Headers of the connection, and those that the shape stores elsewhere. */
const CONNECTION_HEADERS = new Set(
  splitWords(`date connection keep-alive transfer-encoding content-length content-encoding content-type vary
    server set-cookie`),
);
const MAX_HEADERS = 64;

export function isConnectionHeader(header: string): boolean {
  return CONNECTION_HEADERS.has(header);
}

export function toResponseShape({ status, headers, json, text }: RecordedResponse): ResponseShape {
  const fullContentType = headers['content-type'] ?? '';
  const media = parseMediaType(fullContentType);
  const hasBody = json !== undefined || text !== '' || Number(headers['content-length'] ?? 0) > 0;
  const hasSafeParameters = hasBody && fullContentType.includes(';') && isSafeContentType(fullContentType);
  return omitUndefined({
    status,
    media: hasBody ? media : null,
    contentType: hasSafeParameters ? fullContentType : undefined,
    headers: Object.fromEntries(getHeaderSchemas(headers)),
    body: json === undefined ? undefined : inferSchema(json),
    seen: 1,
  });
}

function parseMediaType(fullContentType: string): string | null {
  const media = fullContentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,80}$/.test(media) ? media : null;
}

/** Allows only known parameters: others, such as a boundary, are values. */
function isSafeContentType(text: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*(?:charset|profile|version|v)=[\w."+-]{1,40})*$/i.test(text);
}

function getHeaderSchemas(headers: Readonly<Record<string, string>>): [string, Schema][] {
  return Object.entries(headers)
    .filter(([name]) => !CONNECTION_HEADERS.has(name) && isFieldName(name))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [name, { ...inferStringSchema(value, name), 'x-seen': 1 }]);
}

/** Merges responses of one kind. Status and type of the first one with a type are kept. */
export function mergeResponseShapes(a: ResponseShape, b: ResponseShape): ResponseShape {
  const body = a.body && b.body ? mergeSchemas(a.body, b.body) : (a.body ?? b.body);
  const names = new Set([...Object.keys(a.headers), ...Object.keys(b.headers)]);
  const { status, media, contentType } = a.media === null ? b : a;
  return omitUndefined({
    status,
    media,
    contentType,
    headers: Object.fromEntries(
      [...names].map((name) => {
        const [one, other] = [a.headers[name], b.headers[name]];
        return [name, one && other ? mergeSchemas(one, other) : (one ?? other ?? {})];
      }),
    ),
    body,
    seen: a.seen + b.seen,
  });
}
