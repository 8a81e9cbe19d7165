import type { OperationName } from '../operations/index.ts';
import type { ActiveProfile } from './learned.ts';
import type { Schema } from './schema.ts';
import { type Filling, fillTemplate } from './template.ts';

type Body = Readonly<Record<string, unknown>>;

/** The facts that hold a whole body, by the operation that takes it, and the places without which it says nothing. */
const TEMPLATES: {
  readonly [Name in OperationName]?: { fact: 'uploadStart' | 'webhook'; needed: string[] };
} = {
  'documents.startUpload': { fact: 'uploadStart', needed: [] },
  'webhooks.create': { fact: 'webhook', needed: ['url', 'event'] },
};

/** Bodies in the order in which they are tried. */
export interface OrderedBodies<Given extends Body> {
  readonly bodies: readonly Given[];
  /** The fact by which the first one stands there; unset where nothing was learned. */
  readonly fact?: string;
}

/**
 * The bodies that may be assumed for an operation, the learned one first: the one whose names were seen to be taken, or
 * the learned template with `filling`, whatever its names are.
 */
export function orderBodies<Given extends Body>(
  learned: ActiveProfile | undefined,
  operation: OperationName,
  { bodies, filling = {} }: { bodies: readonly Given[]; filling?: Filling },
): OrderedBodies<Given | Body> {
  if (!learned) return { bodies };
  const template = TEMPLATES[operation];
  if (template) {
    const fact = `facts.${template.fact}`;
    const form = learned.profile.facts[template.fact];
    const body = form && learned.holds(fact) ? fillTemplate(form, filling, template.needed) : undefined;
    if (body) {
      const same = bodies.find((one) => print(one) === print(body)) ?? body;
      return { bodies: [same, ...bodies.filter((one) => one !== same)], fact };
    }
  }
  const fact = `operations.${operation}.takes`;
  const takes = learned.holds(fact) ? learned.about(operation)?.takes : undefined;
  if (!takes?.properties) return { bodies };
  const fitting = bodies.filter((one) => isTaken(takes, one));
  return fitting.length === 0 || fitting.length === bodies.length
    ? { bodies }
    : { bodies: [...fitting, ...bodies.filter((one) => !fitting.includes(one))], fact };
}

/** Whether each field of a body was seen to be taken. */
function isTaken({ properties = {} }: Schema, body: Body): boolean {
  return Object.entries(body).every(
    ([name, value]) => value === undefined || Object.hasOwn(properties, name),
  );
}

/** Equal for equal fields, in whatever order. */
function print(body: Body): string {
  return JSON.stringify(Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1)));
}
