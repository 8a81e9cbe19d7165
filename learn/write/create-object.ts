import type { OperationName } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { RejectionKind, ServiceFacts } from '../../src/profile/service-profile.ts';
import { inferSchema } from '../infer/infer-schema.ts';
import { mergeSchemas } from '../infer/merge-schemas.ts';
import { getMethodAndRoute, getOperation, type ProbeContext } from '../probes/probe-context.ts';
import { BudgetExceededError } from '../probes/recorder.ts';
import type { RecordedResponse } from '../probes/session.ts';
import type { Topic } from '../questions/question.ts';
import type { CreatedResources } from './created-resources.ts';
import { existedBefore } from './existed-before.ts';
import { extractId, removeOne } from './remove.ts';

/** What the writes find out and share. */
export interface WriteContext {
  readonly context: ProbeContext;
  readonly createdResources: CreatedResources;
  /** Resources that can be removed although no DELETE is shown. */
  readonly removableResources: readonly string[];
  /** Makes also what can't be removed. */
  readonly allowUnremovable: boolean;
  readonly facts: { -readonly [K in keyof ServiceFacts]: ServiceFacts[K] };
  /** The form of the body that each operation took. */
  readonly requestSchemas: Partial<Record<OperationName, Schema>>;
}

export interface ThrowawayObject {
  readonly id: string;
  readonly path: string;
  readonly response: RecordedResponse;
}

/** Calls that one object needs to be removed again, and to be looked for where an answer was lost. */
const CALLS_RESERVED_PER_OBJECT = 2;

/** Bodies as they travel: what is undefined is left out. */
export function omitUndefined(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Calls an operation with each body in turn while it is refused for its names; gives the answer that took one. */
export async function tryBodies(
  { context, requestSchemas }: WriteContext,
  request: {
    name: OperationName;
    id?: string;
    bodies: readonly object[];
    topic?: Topic;
    /** What a refusal of it tells. */
    expected?: RejectionKind;
  },
): Promise<{ response: RecordedResponse; body: Record<string, unknown> } | undefined> {
  const { name, id, topic = 'writes' } = request;
  const { method, route } = getMethodAndRoute(getOperation(name));
  const path = id === undefined ? route : route.replace('{id}', encodeURIComponent(id));
  for (const body of request.bodies.map(omitUndefined)) {
    const expected = request.expected === undefined ? {} : { expected: request.expected };
    const response = await context.session.sendRequest({
      method,
      path,
      route,
      body,
      operation: name,
      topic,
      ...expected,
    });
    if (!response) return undefined;
    if (response.ok) {
      const schema = inferSchema(body);
      const known = requestSchemas[name];
      requestSchemas[name] = known ? mergeSchemas(known, schema) : schema;
      return { response, body };
    }
    if (response.status !== 400 && response.status !== 422) return undefined;
  }
  return undefined;
}

/**
 * Makes a throwaway object of the first body that is taken. Before it is asked for, journal and janitor know of it; where
 * its id is not told, it is found by its name when everything is removed.
 */
export async function createObject(
  writeContext: WriteContext,
  request: {
    name: OperationName;
    bodies: readonly object[];
    topic?: Topic;
    /** No name of it is the learner's alone: a service may answer one that was there. */
    mayExist?: boolean;
  },
): Promise<ThrowawayObject | undefined> {
  const { route } = getMethodAndRoute(getOperation(request.name));
  const { mayExist = false } = request;
  return trackCreation(writeContext, route, async () => (await tryBodies(writeContext, request))?.response, {
    mayExist,
  });
}

/** The same of an object that is made in another way. */
export async function trackCreation(
  { context, createdResources }: WriteContext,
  list: string,
  call: () => Promise<RecordedResponse | undefined>,
  options: {
    readId?: (response: RecordedResponse) => string | undefined;
    mayExist?: boolean;
    /** False where what is made has no name. */
    hasName?: boolean;
  } = {},
): Promise<ThrowawayObject | undefined> {
  const { recorder, signal } = context.session;
  signal.throwIfAborted();
  if (recorder.remainingCalls <= CALLS_RESERVED_PER_OBJECT)
    throw new BudgetExceededError('The rest of the budget is kept for removing.');
  recorder.reservedCalls += CALLS_RESERVED_PER_OBJECT;
  await createdResources.beforeCreate(list);
  const before = context.session.responses.length;
  const response = await call().catch(async (error: unknown) => {
    // Refused by us, before anything went out.
    if (context.session.responses.length === before && error instanceof BudgetExceededError)
      await createdResources.recordRejected(list);
    throw error;
  });
  const { readId = ({ json }) => extractId(json, list.slice(1)), mayExist = false, hasName = true } = options;
  const id = response && readId(response);
  if (response && id !== undefined) {
    const path = `${list}/${encodeURIComponent(id)}`;
    // What was there before is not ours, whatever an answer says.
    if (existedBefore(context, { list, id, response, mayExist })) {
      await createdResources.recordPreexisting(path);
      context.skippedReasons.push(
        `${list}: making one was answered with one that was there before; it is left alone.`,
      );
      return undefined;
    }
    await createdResources.recordCreated(path, list);
    return { id, path, response };
  }
  if (response) createdResources.recordMissingId(list, hasName);
  const attempts = context.session.responses.slice(before);
  const isRejected =
    attempts.length > 0 && !response && attempts.every(({ status }) => status >= 400 && status < 500);
  if (isRejected) {
    recorder.reservedCalls -= CALLS_RESERVED_PER_OBJECT;
    await createdResources.recordRejected(list);
  }
  return undefined;
}

/** Removes one object, and looks at what that answers. */
export async function removeObject(
  { context, createdResources }: WriteContext,
  { path }: ThrowawayObject,
  operation?: OperationName,
): Promise<void> {
  const { session } = context;
  session.recorder.reservedCalls = Math.max(0, session.recorder.reservedCalls - CALLS_RESERVED_PER_OBJECT);
  const route = `/${path.split('/')[1]}/{id}`;
  const request = { method: 'DELETE', path, route, topic: 'writes', isCleanup: true } as const;
  const response = await session.sendRequest({ ...request, ...(operation ? { operation } : {}) });
  const isRemoved =
    response !== undefined && (response.ok || response.status === 404 || response.status === 410);
  if (isRemoved || (await removeOne(session.client, path))) await createdResources.recordRemoved(path);
}

/** A refusal of a body that lacks what it needs; what is made all the same is removed. */
export async function provokeBodyError(
  writeContext: WriteContext,
  name: OperationName,
  body: object,
): Promise<void> {
  const { method, route } = getMethodAndRoute(getOperation(name));
  const call = async () => {
    const request = { method, path: route, route, body, topic: 'errors', expected: 'badBody' } as const;
    const response = await writeContext.context.session.sendRequest(request);
    return response?.ok ? response : undefined;
  };
  const created = await trackCreation(writeContext, route, call, { hasName: false });
  if (created) await removeObject(writeContext, created);
}

export function canRemove({ removableResources, allowUnremovable }: WriteContext, group: string): boolean {
  return allowUnremovable || removableResources.includes(group);
}
