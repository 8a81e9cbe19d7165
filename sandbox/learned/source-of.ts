import { type OperationName, operations } from '../../src/operations/index.ts';
import { getResourceName } from '../../src/profile/fields.ts';
import type { ServiceProfile } from '../../src/profile/format.ts';
import type { Schema } from '../../src/profile/schema.ts';
import type { View } from '../handlers/view.ts';
import type { Service } from '../service.ts';
import type { Source } from './fit.ts';
import { getIdFormat } from './id-form.ts';
import { itemPlace } from './kin-answer.ts';
import { schemaAt } from './schema-at.ts';

/** What an object's fields are filled from; what is invented follows from its id, so that it stays the same. */
export function sourceOf({ learned, profile, state }: Service, name: OperationName, view: View): Source {
  const { custom, ...fields } = learned ? withOwnId(learned, view) : view;
  const id = view['id'] ?? view['page'] ?? view['link_id'] ?? view['room_id'] ?? name;
  return {
    view: { ...partsOfName(view), ...fields },
    custom,
    seed: `${view.object} ${id}`,
    profile,
    isBlank: state.callers.has(String(id)),
    others: learned ? othersOf(learned, name) : [],
  };
}

/** Whose names services may show in two parts. */
const PEOPLE = new Set(['contact', 'recipient', 'visitor', 'visit']);

function partsOfName({ object, name, custom }: View): Readonly<Record<string, string>> {
  if (
    !PEOPLE.has(object) ||
    typeof name !== 'string' ||
    Object.keys(custom ?? {}).some((one) => /name/i.test(one))
  )
    return {};
  const [first = '', ...rest] = name.split(' ');
  return { first_name: first, last_name: rest.join(' ') };
}

/** What no route leads to by its id: its id may take whatever form was learned. */
const UNREACHED = ['visitor', 'invoice'] as const;

/** An id that the sandbox lends from elsewhere, with the beginning that such ids have. */
function withOwnId(learned: ServiceProfile, view: View): View {
  const kind = UNREACHED.find((one) => one === view.object);
  const form = kind && getIdFormat(learned, kind);
  const { id } = view;
  if (typeof form !== 'object' || typeof id !== 'string' || id.startsWith(form.prefix)) return view;
  return { ...view, id: form.prefix + id.replace(/^[a-z]+[_-]/i, '') };
}

const known = new WeakMap<ServiceProfile, Map<OperationName, readonly Schema[]>>();

/** Forms of the same objects elsewhere: in whatever answer, and as they were made. */
function othersOf(learned: ServiceProfile, name: OperationName): readonly Schema[] {
  const before = known.get(learned) ?? new Map<OperationName, readonly Schema[]>();
  known.set(learned, before);
  const found = before.get(name) ?? findOthers(learned, name);
  before.set(name, found);
  return found;
}

function findOthers(learned: ServiceProfile, name: OperationName): readonly Schema[] {
  const resource = getResourceName(name);
  const whole = Object.hasOwn(learned.resources, resource) ? learned.resources[resource] : undefined;
  const [group = ''] = name.split('.');
  const create = operations.find((one) => one.name === `${group}.create`);
  const made = create && learned.operations[create.name];
  const form = made && schemaAt(made.answer?.body, itemPlace(learned, made));
  return [whole, form].filter((one) => one !== undefined);
}
