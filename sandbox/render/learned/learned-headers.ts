import type { NamedOperation } from '../../../src/operations/index.ts';
import { generateSample } from '../../../src/profile/generate-sample.ts';
import type { Schema } from '../../../src/profile/json-schema.ts';
import type { Rejection } from '../../base/rejection.ts';
import type { Service } from '../../state/service.ts';
import type { HttpResponse } from '../http-response.ts';
import { type RateLimitResult, REQUESTS_PER_WINDOW } from '../rate-limit-headers.ts';
import { findLearnedError } from './learned-error.ts';

/** Headers that every response has anyway. */
const ALWAYS = ['content-type', 'content-length', 'location'];

/** Adds the learned headers to a response; unknown values are generated. */
export function withLearnedHeaders(
  reply: HttpResponse,
  { serviceProfile, clock }: Service,
  about: {
    named: NamedOperation | undefined;
    rejection: Rejection | undefined;
    rateLimit: RateLimitResult | undefined;
  },
): HttpResponse {
  const { named, rejection, rateLimit } = about;
  const operationProfile = named && serviceProfile?.operations[named.name];
  const found = serviceProfile && rejection && findLearnedError(serviceProfile, rejection.reason);
  const learned = rejection ? found?.response : operationProfile?.response;
  if (!serviceProfile || !learned) return reply;
  // Rate limit headers are sent even if no such rejection was learned.
  const isNew = rejection?.reason === 'limited' && !found?.isOwn;
  const isRedirect = reply.status >= 300 && reply.status < 400;
  const needed = isRedirect ? ALWAYS : ALWAYS.slice(0, 2);
  const own = Object.entries(reply.headers).filter(
    ([name]) => isNew || needed.includes(name) || Object.hasOwn(learned.headers, name),
  );
  // Request ids and next-page headers are written elsewhere.
  const others = [
    ...own.map(([name]) => name),
    serviceProfile.facts.requestId?.toLowerCase(),
    operationProfile?.list?.next?.header?.toLowerCase(),
  ];
  const seed = rejection?.reason ?? named?.name ?? '';
  const added = Object.entries(learned.headers)
    .filter(([name]) => !others.includes(name) && name !== 'content-type')
    .map(([name, form]) => [
      name,
      (rateLimit && limitValue(name, form, { ...rateLimit, now: clock.now() })) ??
        toHeaderValue(generateSample(form, { seed: `${seed} ${name}`, name })),
    ]);
  return { ...reply, headers: Object.fromEntries([...own, ...added]) };
}

/** Returns the value of a rate limit header by its name (§8 specifies none); undefined for other headers. */
function limitValue(name: string, form: Schema, limit: RateLimitResult & { now: number }): string | undefined {
  const at = limit.now + limit.waitMs;
  if (!/limit|quota|retry/.test(name)) return undefined;
  if (/remaining|left/.test(name)) return String(limit.remaining);
  if (/used|count/.test(name)) return String(REQUESTS_PER_WINDOW - limit.remaining);
  if (!/reset|retry|after/.test(name))
    return /limit$|quota$|total$/.test(name) ? String(REQUESTS_PER_WINDOW) : undefined;
  if (form.format === 'epoch-ms') return String(at);
  if (form.format === 'date-time') return new Date(at).toISOString();
  return String(Math.ceil((form.format === 'epoch-seconds' ? at : limit.waitMs) / 1000));
}

/** Removes characters that are invalid in headers. */
export function toHeaderValue(value: unknown): string {
  return String(value ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}
