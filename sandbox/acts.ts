/** What the acts of a sandbox take: of a program that calls them, and of the control routes. */
import { METHODS, validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { operations } from '../src/operations/index.ts';
import { SCOPES } from '../src/scopes.ts';
import { takes } from './given.ts';
import { AGREEMENT_ENDS } from './state/records.ts';

const OPERATIONS = operations.map(({ name }) => name);
const MAX_DELAY_MS = 600_000;
const DELAY = `milliseconds from 0 to ${MAX_DELAY_MS}`;
const MAX_PAGES = 10_000;
const DAY_SECONDS = 86_400;

const Method = z.string().refine((method) => METHODS.includes(method.toUpperCase()));
const Path = z.string().regex(/^[/*]/);
const Nth = z.int().min(1);
const Delay = z.number().min(0).max(MAX_DELAY_MS);

const matching = {
  method: takes(Method, 'an HTTP method'),
  path: takes(Path, 'a path that begins with / or *'),
  operation: takes(z.enum(OPERATIONS), `one of ${OPERATIONS.join(', ')}`),
};

export const FaultRule = z.strictObject({
  ...matching,
  nth: takes(z.union([Nth, z.array(Nth).min(1)]), 'a whole number from 1 on, or a list of them'),
  probability: takes(z.number().min(0).max(1), 'a number from 0 to 1'),
  times: takes(Nth, 'a whole number from 1 on'),
  when: takes(z.enum(['before', 'after']), '"before" or "after"'),
  status: takes(z.int().min(200).max(599), 'a whole number from 200 to 599'),
  headers: takes(z.record(z.string(), z.string()).refine(canBeSent), 'headers that can be sent'),
  body: takes(z.string(), 'a text'),
  delayMs: takes(Delay, DELAY),
  bodyDelayMs: takes(Delay, DELAY),
  cut: takes(z.enum(['drop', 'reset', 'hang']), '"drop", "reset" or "hang"'),
  truncate: takes(z.int().min(0), 'a whole number from 0 on'),
});

export const LogMatch = z.strictObject({
  ...matching,
  status: takes(z.int().min(0).max(599), 'a whole number from 200 to 599, or 0 for what was cut'),
  after: takes(z.string(), 'the id of an entry'),
});

export const WaitOptions = z.strictObject({
  timeoutMs: takes(
    z.custom<number>((ms) => typeof ms === 'number' && ms >= 0),
    'milliseconds from 0 on; Infinity waits for as long as the sandbox runs',
  ),
});

export const KeyScopes = z.array(z.enum(SCOPES)).describe(`a list of scopes (${SCOPES.join(', ')})`);

const ID = 'the id as a text or a number';
export const Id = z.union([z.string().min(1), z.number()]).describe(ID);

export const VisitOptions = z.strictObject({
  email: takes(z.string(), 'a text'),
  name: takes(z.string(), 'a text'),
  password: takes(z.string(), 'a text'),
  ndaAccepted: takes(z.boolean(), 'true or false'),
  pages: takes(
    z.array(z.number().min(0).max(DAY_SECONDS)).max(MAX_PAGES),
    `up to ${MAX_PAGES} numbers of seconds, each from 0 to ${DAY_SECONDS}`,
  ),
});

export const Signer = z.strictObject({
  email: takes(z.string(), 'a text'),
  name: takes(z.string(), 'a text'),
});

export const AgreementEnding = z.enum(AGREEMENT_ENDS).describe(`one of ${AGREEMENT_ENDS.join(', ')}`);

export const Folder = z.string().min(1).describe('the path of a folder');

function canBeSent(headers: Readonly<Record<string, string>>): boolean {
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
