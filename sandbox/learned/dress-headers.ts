import { generateSample } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ResponseShape, ServiceProfile } from '../../src/profile/service-profile.ts';
import { type RateLimitResult, REQUESTS_PER_WINDOW } from '../http/limiter.ts';
import type { HttpResponse } from '../http/reply.ts';

export interface HeadersSaid {
  readonly serviceProfile: ServiceProfile;
  /** Names of an answer that the body of its list goes on by: they stand only where there is more. */
  readonly onward: string | undefined;
  /** Who asked the limiter. */
  readonly rateLimit: RateLimitResult | undefined;
  readonly now: number;
  /** Equal for equal answers. */
  readonly seed: string;
}

/** What a header of the connection, or of the body itself, is called: each answer has its own. */
const ALWAYS = ['content-type', 'content-length'];

/** An answer with exactly the headers that were learned of it: with the sandbox's own values, or invented ones. */
export function dressHeaders(reply: HttpResponse, answer: ResponseShape, said: HeadersSaid): HttpResponse {
  const requestId = said.serviceProfile.facts.requestId?.toLowerCase();
  const needed = reply.status >= 300 && reply.status < 400 ? [...ALWAYS, 'location'] : ALWAYS;
  const kept = Object.entries(reply.headers).filter(
    ([name]) => needed.includes(name) || Object.hasOwn(answer.headers, name),
  );
  const own = new Map(kept);
  for (const [name, form] of Object.entries(answer.headers)) {
    if (own.has(name) || name === requestId || name === said.onward || name === 'content-type') continue;
    own.set(name, valueIn(name, form, said));
  }
  return { ...reply, headers: Object.fromEntries(own) };
}

function valueIn(name: string, form: Schema, said: HeadersSaid): string {
  return (
    limitValue(name, form, said) ?? printable(generateSample(form, { seed: `${said.seed} ${name}`, name }))
  );
}

/** What a header says of the limit, by its name (§8 shows none). */
function limitValue(
  name: string,
  form: Schema,
  { serviceProfile, rateLimit, now }: HeadersSaid,
): string | undefined {
  const speaks = serviceProfile.facts.limit?.headers.some((known) => known.toLowerCase() === name);
  if (!rateLimit || !(speaks || /limit|quota|retry/.test(name))) return undefined;
  const seconds = Math.ceil(rateLimit.waitMs / 1000);
  if (/remaining|left/.test(name)) return String(rateLimit.remaining);
  if (/reset|retry|after/.test(name)) {
    if (form.format === 'epoch-seconds') return String(Math.ceil((now + rateLimit.waitMs) / 1000));
    if (form.format === 'epoch-ms') return String(now + rateLimit.waitMs);
    return form.format === 'date-time' ? new Date(now + rateLimit.waitMs).toISOString() : String(seconds);
  }
  if (/used|count/.test(name)) return String(REQUESTS_PER_WINDOW - rateLimit.remaining);
  return /limit$|quota$|total$/.test(name) ? String(REQUESTS_PER_WINDOW) : undefined;
}

/** Text that may stand in a header. */
function printable(value: unknown): string {
  return String(value ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
}
