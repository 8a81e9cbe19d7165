import type { OperationName } from '../../src/operations/index.ts';
import type { RejectionKind, ServiceFacts } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import { mergeSchemas } from '../form/merge-schemas.ts';
import { inferSchema } from '../form/schema-of.ts';
import { getOperation, methodAndRoute, type World } from '../probes/world.ts';
import type { Topic } from '../questions/question.ts';
import { BudgetSpentError } from '../wire/recorder.ts';
import type { Answer } from '../wire/session.ts';
import type { Deeds } from './deeds.ts';
import { idIn, removeOne } from './remove.ts';
import { wasThere } from './was-there.ts';

/** What the writes find out and share. */
export interface Writing {
  readonly world: World;
  readonly deeds: Deeds;
  /** Resources that can be removed although no DELETE is shown. */
  readonly removals: readonly string[];
  /** Makes also what can't be removed. */
  readonly leave: boolean;
  readonly facts: { -readonly [K in keyof ServiceFacts]: ServiceFacts[K] };
  /** The form of the body that each operation took. */
  readonly takes: Partial<Record<OperationName, Schema>>;
}

export interface Made {
  readonly id: string;
  readonly path: string;
  readonly answer: Answer;
}

/** Calls that one object needs to be removed again, and to be looked for where an answer was lost. */
const TO_REMOVE = 2;

/** Bodies as they travel: what is undefined is left out. */
export function plain(body: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

/** Calls an operation with each body in turn while it is refused for its names; gives the answer that took one. */
export async function tryBodies(
  { world, takes }: Writing,
  asked: {
    name: OperationName;
    id?: string;
    bodies: readonly object[];
    topic?: Topic;
    /** What a refusal of it tells. */
    as?: RejectionKind;
  },
): Promise<{ answer: Answer; body: Record<string, unknown> } | undefined> {
  const { name, id, topic = 'writes' } = asked;
  const { method, route } = methodAndRoute(getOperation(name));
  const path = id === undefined ? route : route.replace('{id}', encodeURIComponent(id));
  for (const body of asked.bodies.map(plain)) {
    const as = asked.as === undefined ? {} : { as: asked.as };
    const answer = await world.session.ask({ method, path, route, body, operation: name, topic, ...as });
    if (!answer) return undefined;
    if (answer.ok) {
      const form = inferSchema(body);
      const known = takes[name];
      takes[name] = known ? mergeSchemas(known, form) : form;
      return { answer, body };
    }
    if (answer.status !== 400 && answer.status !== 422) return undefined;
  }
  return undefined;
}

/**
 * Makes a throwaway object of the first body that is taken. Before it is asked for, journal and janitor know of it; where
 * its id is not told, it is found by its name when everything is removed.
 */
export async function make(
  writing: Writing,
  asked: {
    name: OperationName;
    bodies: readonly object[];
    topic?: Topic;
    /** No name of it is the learner's alone: a service may answer one that was there. */
    mayBeThere?: boolean;
  },
): Promise<Made | undefined> {
  const { route } = methodAndRoute(getOperation(asked.name));
  const { mayBeThere = false } = asked;
  return making(writing, route, async () => (await tryBodies(writing, asked))?.answer, { mayBeThere });
}

/** The same of an object that is made in another way. */
export async function making(
  { world, deeds }: Writing,
  list: string,
  call: () => Promise<Answer | undefined>,
  options: {
    readId?: (answer: Answer) => string | undefined;
    mayBeThere?: boolean;
    /** False where what is made has no name. */
    marked?: boolean;
  } = {},
): Promise<Made | undefined> {
  const { recorder, signal } = world.session;
  signal.throwIfAborted();
  if (recorder.left <= TO_REMOVE) throw new BudgetSpentError('The rest of the budget is kept for removing.');
  recorder.reserved += TO_REMOVE;
  await deeds.about(list);
  const before = world.session.answers.length;
  const answer = await call().catch(async (error: unknown) => {
    // Refused by us, before anything went out.
    if (world.session.answers.length === before && error instanceof BudgetSpentError)
      await deeds.refused(list);
    throw error;
  });
  const { readId = ({ json }) => idIn(json, list.slice(1)), mayBeThere = false, marked = true } = options;
  const id = answer && readId(answer);
  if (answer && id !== undefined) {
    const path = `${list}/${encodeURIComponent(id)}`;
    // What was there before is not ours, whatever an answer says.
    if (wasThere(world, { list, id, answer, mayBeThere })) {
      await deeds.spare(path);
      world.gaps.push(`${list}: making one was answered with one that was there before; it is left alone.`);
      return undefined;
    }
    await deeds.made(path, list);
    return { id, path, answer };
  }
  if (answer) deeds.madeUnnamed(list, marked);
  const tried = world.session.answers.slice(before);
  const isRefused = tried.length > 0 && !answer && tried.every(({ status }) => status >= 400 && status < 500);
  if (isRefused) {
    recorder.reserved -= TO_REMOVE;
    await deeds.refused(list);
  }
  return undefined;
}

/** Removes one object, and looks at what that answers. */
export async function remove(
  { world, deeds }: Writing,
  { path }: Made,
  operation?: OperationName,
): Promise<void> {
  const { session } = world;
  session.recorder.reserved = Math.max(0, session.recorder.reserved - TO_REMOVE);
  const route = `/${path.split('/')[1]}/{id}`;
  const asked = { method: 'DELETE', path, route, topic: 'writes', removes: true } as const;
  const answer = await session.ask({ ...asked, ...(operation ? { operation } : {}) });
  const isGone = answer !== undefined && (answer.ok || answer.status === 404 || answer.status === 410);
  if (isGone || (await removeOne(session.client, path))) await deeds.removed(path);
}

/** A refusal of a body that lacks what it needs; what is made all the same is removed. */
export async function refuseBody(writing: Writing, name: OperationName, body: object): Promise<void> {
  const { method, route } = methodAndRoute(getOperation(name));
  const call = async () => {
    const asked = { method, path: route, route, body, topic: 'errors', as: 'badBody' } as const;
    const answer = await writing.world.session.ask(asked);
    return answer?.ok ? answer : undefined;
  };
  const made = await making(writing, route, call, { marked: false });
  if (made) await remove(writing, made);
}

export function canRemove({ removals, leave }: Writing, group: string): boolean {
  return leave || removals.includes(group);
}
