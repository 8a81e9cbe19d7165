import type { ResponseShape, ServiceProfile } from '../../../src/profile/service-profile.ts';

/** Bounds of a profile, far beyond any real service. */
const MAX_ITEMS = { values: 200_000, levels: 40, text: 2_000, headers: 60, page: 10_000, path: 20 } as const;

const HEADER = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const MEDIA = /^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/;
/** Hop-by-hop headers. */
const HOP = /^(?:connection|content-length|transfer-encoding|content-encoding|upgrade|trailer|te|keep-alive)$/;

/**
 * Validates a profile, which is an untrusted file, before it is used.
 *
 * @throws RangeError with the location and the problem
 */
export function expectPlayable(serviceProfile: ServiceProfile): void {
  for (const [name, called] of Object.entries(serviceProfile.operations)) {
    if (called?.response) expectResponse(called.response, { at: `operations.${name}.response`, isRejection: false });
    const { size, next, at, more, total } = called?.list ?? {};
    for (const path of [called?.item, at, next?.at, more?.at, total]) expectPath(path, `operations.${name}`);
    for (const [key, value] of Object.entries({ default: size?.default, max: size?.max }))
      if (value !== undefined && (value < 1 || value > MAX_ITEMS.page))
        throw refuse(`operations.${name}.list.size.${key}`, `a page must have from 1 to ${MAX_ITEMS.page} entries`);
    if (next?.header !== undefined) expectHeader(next.header.toLowerCase(), `operations.${name}.list.next.header`);
  }
  for (const [name, response] of Object.entries(serviceProfile.rejections))
    if (response) expectResponse(response, { at: `rejections.${name}`, isRejection: true });
  const { requestId, upload, download, event, webhookSecret } = serviceProfile.facts;
  for (const path of [download?.at, webhookSecret, event?.kind, event?.id, event?.time, event?.data])
    expectPath(path, 'facts');
  if (requestId) expectHeader(requestId.toLowerCase(), 'facts.requestId');
  for (const name of upload?.headers ?? []) expectHeader(name.toLowerCase(), 'facts.upload.headers');
  expectStatus(upload?.stored, { at: 'facts.upload.stored', isRejection: false });
  expectStatus(download?.status, { at: 'facts.download.status', isRejection: false });
  for (const ttlSeconds of [upload?.ttlSeconds, download?.ttlSeconds])
    if (ttlSeconds !== undefined && !(ttlSeconds > 0 && ttlSeconds < 366 * 86_400))
      throw refuse('facts.upload.ttlSeconds', 'must be positive and less than a year');
  for (const name of Object.keys(event?.headers ?? {})) expectHeader(name.toLowerCase(), 'facts.event.headers');
  if (event?.signatureHeader !== undefined)
    expectHeader(event.signatureHeader.toLowerCase(), 'facts.event.signatureHeader');
  if (upload?.encryption !== undefined && !/^[\x21-\x7e]{1,100}$/.test(upload.encryption))
    throw refuse('facts.upload.encryption', 'is not a valid header value');
}

function refuse(at: string, why: string): RangeError {
  return new RangeError(`Invalid profile at \`${at}\`: ${why}. Create one with \`docshare learn\`.`);
}

function expectPath(path: readonly string[] | null | undefined, at: string): void {
  if ((path?.length ?? 0) > MAX_ITEMS.path) throw refuse(at, `a path has more than ${MAX_ITEMS.path} names`);
}

function expectResponse(response: ResponseShape, of: { at: string; isRejection: boolean }): void {
  const { at } = of;
  expectStatus(response.status, of);
  for (const media of [response.media, response.contentType])
    if (media != null && !(media.length <= 200 && MEDIA.test(media)))
      throw refuse(`${at}.media`, 'is not a media type');
  const names = Object.keys(response.headers);
  if (names.length > MAX_ITEMS.headers) throw refuse(`${at}.headers`, `has more than ${MAX_ITEMS.headers} headers`);
  for (const name of names) expectHeader(name, `${at}.headers`);
}

/** Responses have status 2xx or 3xx, errors 400 or more. */
function expectStatus(status: number | undefined, { at, isRejection }: { at: string; isRejection: boolean }): void {
  if (status === undefined || (isRejection ? status >= 400 && status < 600 : status >= 200 && status < 400)) return;
  throw refuse(
    `${at}${at.endsWith('status') ? '' : '.status'}`,
    `${status} is not a status of ${isRejection ? 'an error' : 'a successful response'}`,
  );
}

function expectHeader(name: string, at: string): void {
  if (!HEADER.test(name) || HOP.test(name))
    throw refuse(at, `${JSON.stringify(name.slice(0, 60))} is not a header that a service may set`);
}

/**
 * Checks size and depth without recursion, since nesting could overflow the stack.
 *
 * @throws RangeError if the profile is too large or too deep
 */
export function expectBounded(serviceProfile: unknown): void {
  let values = 0;
  const open: { value: unknown; at: string; level: number }[] = [{ value: serviceProfile, at: '', level: 0 }];
  for (let one = open.pop(); one; one = open.pop()) {
    const { value, at, level } = one;
    values += 1;
    if (typeof value === 'string' && value.length > MAX_ITEMS.text)
      throw refuse(at.slice(0, 200), `a string is longer than ${MAX_ITEMS.text} characters`);
    if (typeof value !== 'object' || value === null) continue;
    if (level > MAX_ITEMS.levels * 2)
      throw refuse(at.slice(0, 80), `forms nest deeper than ${MAX_ITEMS.levels} levels`);
    const inside = Object.entries(value);
    // Queued values count too, so that the queue stays bounded.
    if (values + open.length + inside.length > MAX_ITEMS.values)
      throw refuse(at.split('.')[0] ?? '', `it has more than ${MAX_ITEMS.values} values`);
    for (const [name, inner] of inside) {
      if (name === '__proto__') throw refuse(at.slice(0, 200), 'a name is "__proto__"');
      if (name.length > MAX_ITEMS.text) throw refuse(at.slice(0, 200), 'a name is too long');
      open.push({ value: inner, at: at === '' ? name : `${at}.${name}`, level: level + 1 });
    }
  }
}
