/** Schemas of the sandbox's methods, shared with the control routes. */
import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { operations } from '../../src/operations/index.ts';
import { SCOPES } from '../../src/scopes.ts';
import { createOptionalField } from './validate-options.ts';

const OPERATIONS = operations.map(({ name }) => name);
const MAX_DELAY_MS = 600_000;
const DELAY_DESCRIPTION = `milliseconds from 0 to ${MAX_DELAY_MS}`;
const MAX_PAGES = 10_000;
const DAY_SECONDS = 86_400;

const MethodSchema = z.string().refine((method) => METHODS.includes(method.toUpperCase()));
const PathSchema = z.string().regex(/^[/*]/);
const NthSchema = z.int().min(1);
const DelaySchema = z.number().min(0).max(MAX_DELAY_MS);

const requestMatchers = {
  method: createOptionalField(MethodSchema, 'an HTTP method'),
  /** Path below the base URL, of storage (`/storage/…`) or of a page (`/l/…`); `*` matches any text. */
  path: createOptionalField(PathSchema, 'a path that begins with / or *'),
  operation: createOptionalField(z.enum(OPERATIONS), `one of ${OPERATIONS.join(', ')}`),
};

/** Rules for requests that fail. Rules without matchers apply to all requests. */
export const FaultRuleSchema = z.strictObject({
  ...requestMatchers,
  /** Only the nth matching request (from 1), or those of a list. */
  nth: createOptionalField(
    z.union([NthSchema, z.array(NthSchema).min(1).readonly()]),
    'a positive whole number or a list of them',
  ),
  /** Probability that a matching request fails, by the sandbox's seed. Default: 1. */
  probability: createOptionalField(z.number().min(0).max(1), 'a number from 0 to 1'),
  /** How often the rule applies. Default: always. */
  times: createOptionalField(NthSchema, 'a positive whole number'),
  /** `before` (default): the operation does not run. `after`: it runs, and only its response is replaced. */
  when: createOptionalField(z.enum(['before', 'after']), '"before" or "after"'),
  /** Status of the response. With `after`, the default is the original status. */
  status: createOptionalField(z.int().min(200).max(599), 'a whole number from 200 to 599'),
  headers: createOptionalField(z.record(z.string(), z.string()).refine(areValidHeaders), 'valid HTTP headers'),
  body: createOptionalField(z.string(), 'a string'),
  /** Real milliseconds before the response headers. */
  delayMs: createOptionalField(DelaySchema, DELAY_DESCRIPTION),
  /** Real milliseconds between headers and body. */
  bodyDelayMs: createOptionalField(DelaySchema, DELAY_DESCRIPTION),
  /** `drop` closes the connection without a response, `reset` sends RST, `hang` never responds. */
  cut: createOptionalField(z.enum(['drop', 'reset', 'hang']), '"drop", "reset" or "hang"'),
  /** Sends this many bytes of the body with the full content length, then closes the connection. */
  truncate: createOptionalField(z.int().min(0), 'a whole number (0 or more)'),
});
export type FaultRule = Readonly<z.input<typeof FaultRuleSchema>>;

/** The request to wait for; omitted fields match all. */
export const LogMatchSchema = z.strictObject({
  ...requestMatchers,
  status: createOptionalField(z.int().min(0).max(599), 'a whole number from 200 to 599, or 0 for cut connections'),
  /** Only requests after the one with this id. */
  after: createOptionalField(z.string(), 'the id of a log entry'),
});
export type LogMatch = Readonly<z.input<typeof LogMatchSchema>>;

export const WaitOptionsSchema = z.strictObject({
  timeoutMs: createOptionalField(
    z.custom<number>((ms) => typeof ms === 'number' && ms >= 0),
    'milliseconds (0 or more); Infinity never times out',
  ),
});

export const KeyScopesSchema = z.array(z.enum(SCOPES)).describe(`a list of scopes (${SCOPES.join(', ')})`);

export const IdSchema = z
  .union([z.string().min(1), z.number()])
  .transform(String)
  .describe('the id as a string or number');

/** A visit; `pages` holds the seconds spent on page 1, page 2 and so on. */
export const VisitOptionsSchema = z.strictObject({
  email: createOptionalField(z.string(), 'a string'),
  name: createOptionalField(z.string(), 'a string'),
  password: createOptionalField(z.string(), 'a string'),
  ndaAccepted: createOptionalField(z.boolean(), 'true or false'),
  pages: createOptionalField(
    z.array(z.number().min(0).max(DAY_SECONDS)).max(MAX_PAGES).readonly(),
    `up to ${MAX_PAGES} numbers of seconds, each from 0 to ${DAY_SECONDS}`,
  ),
});

export type VisitOptions = Readonly<z.input<typeof VisitOptionsSchema>>;

/** The signer with this email, or the first who has not signed. */
export const SignerSchema = z.strictObject({
  email: createOptionalField(z.string(), 'a string'),
  name: createOptionalField(z.string(), 'a string'),
});

export type SignerOptions = Readonly<z.input<typeof SignerSchema>>;

function areValidHeaders(headers: Readonly<Record<string, string>>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return true;
  } catch {
    return false;
  }
}
