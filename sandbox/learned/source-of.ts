import { type OperationName, operations } from '../../src/operations/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import { getResourceName } from '../../src/profile/profile-fields.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { Service } from '../service.ts';
import type { Source } from './fit.ts';
import { getIdFormat } from './id-form.ts';
import { getItemPath } from './kin-answer.ts';
import { schemaAt } from './schema-at.ts';

/** What an object's fields are filled from; what is invented follows from its id, so that it stays the same. */
export function sourceOf(
  { serviceProfile, profile, state }: Service,
  name: OperationName,
  view: ResourceView,
): Source {
  const { custom, ...fields } = serviceProfile ? withOwnId(serviceProfile, view) : view;
  const id = view['id'] ?? view['page'] ?? view['link_id'] ?? view['room_id'] ?? name;
  return {
    view: { ...partsOfName(view), ...fields },
    custom,
    seed: `${view.object} ${id}`,
    profile,
    isBlank: state.callerCreatedIds.has(String(id)),
    others: serviceProfile ? othersOf(serviceProfile, name) : [],
  };
}

/** Whose names services may show in two parts. */
const PEOPLE = new Set(['contact', 'recipient', 'visitor', 'visit']);

function partsOfName({ object, name, custom }: ResourceView): Readonly<Record<string, string>> {
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
function withOwnId(serviceProfile: ServiceProfile, view: ResourceView): ResourceView {
  const kind = UNREACHED.find((one) => one === view.object);
  const form = kind && getIdFormat(serviceProfile, kind);
  const { id } = view;
  if (typeof form !== 'object' || typeof id !== 'string' || id.startsWith(form.prefix)) return view;
  return { ...view, id: form.prefix + id.replace(/^[a-z]+[_-]/i, '') };
}

const known = new WeakMap<ServiceProfile, Map<OperationName, readonly Schema[]>>();

/** Forms of the same objects elsewhere: in whatever answer, and as they were made. */
function othersOf(serviceProfile: ServiceProfile, name: OperationName): readonly Schema[] {
  const before = known.get(serviceProfile) ?? new Map<OperationName, readonly Schema[]>();
  known.set(serviceProfile, before);
  const found = before.get(name) ?? findOthers(serviceProfile, name);
  before.set(name, found);
  return found;
}

function findOthers(serviceProfile: ServiceProfile, name: OperationName): readonly Schema[] {
  const resource = getResourceName(name);
  const whole = Object.hasOwn(serviceProfile.resources, resource)
    ? serviceProfile.resources[resource]
    : undefined;
  const [group = ''] = name.split('.');
  const create = operations.find((one) => one.name === `${group}.create`);
  const made = create && serviceProfile.operations[create.name];
  const form = made && schemaAt(made.answer?.body, getItemPath(serviceProfile, made));
  return [whole, form].filter((one) => one !== undefined);
}
