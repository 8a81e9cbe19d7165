import type { Operation } from '../../src/operations/operation.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { SandboxProfile } from '../profile/switches.ts';
import { createJsonResponse, type HttpResponse } from './http-response.ts';
import { shapeFields, styleName } from './shape-fields.ts';

/** Fields that even a minimal response keeps, because callers need them. */
const ESSENTIAL_FIELDS = ['id', 'secret', 'signing_secret'];

const EMPTY_BODY = { headers: {}, body: null };

interface ObjectInput {
  readonly view: ResourceView;
  readonly operation: Operation;
  readonly profile: SandboxProfile;
}

/** Renders one object with the profile's status and wrapping; promised fields are always present. */
export function renderObject(input: ObjectInput): HttpResponse {
  const { view, operation, profile } = input;
  const reply = renderFull(input);
  // Promised fields stay, and so does a secret that is shown once.
  const canVary = operation.output.safeParse({}).success && !('secret' in view);
  return operation.effect === 'read' || !canVary ? reply : renderWrite(reply, profile);
}

/** Renders a write as services do that only acknowledge it. */
function renderWrite(reply: HttpResponse, { writeResponse, contentType }: SandboxProfile): HttpResponse {
  const text = (status: number, body: string) => ({ status, headers: { 'content-type': 'text/plain' }, body });
  switch (writeResponse) {
    case 'object':
      return reply;
    case 'text':
      return text(200, 'OK');
    case 'queued':
      return text(202, 'queued');
    case 'empty':
      return { status: 200, ...EMPTY_BODY };
    case 'cut':
      return { ...reply, isTruncated: true };
    case 'scalar':
      return createJsonResponse({ status: 200, value: 'done', contentType });
    case 'list':
      return createJsonResponse({ status: 200, value: [], contentType });
  }
}

function renderFull({ view, operation, profile }: ObjectInput): HttpResponse {
  const { contentType, createStatus, createResponse, updateResponse, deleteResponse } = profile;
  const shape = (value: unknown) => shapeFields(value, { profile, object: view.object }) as object;
  const json = (status: number, value: object) => createJsonResponse({ status, value, contentType });
  const renderWithStatus = (status: number) => {
    const shaped = { ...shape(view), ...getExtraFields(view, profile) };
    return json(status, wrap({ shaped, object: view.object, operation, profile }));
  };
  switch (operation.effect) {
    case 'create': {
      const essential = Object.fromEntries(
        ESSENTIAL_FIELDS.flatMap((name) => (name in view ? [[name, view[name]]] : [])),
      );
      const minimal = shape({ object: view.object, ...essential });
      const isSufficient = 'id' in essential && operation.output.safeParse(minimal).success;
      const isMinimal = createResponse === 'id' && isSufficient;
      return isMinimal ? json(Number(createStatus), minimal) : renderWithStatus(Number(createStatus));
    }
    case 'update':
    case 'send':
      if (updateResponse === 'object') return renderWithStatus(200);
      return updateResponse === 'ok' ? json(200, { ok: true }) : renderEmpty(updateResponse);
    case 'delete':
      return deleteResponse === 'object-200'
        ? createJsonResponse({ status: 200, value: { ...shape(view), deleted: true } })
        : renderEmpty(deleteResponse);
    case 'read':
      return renderWithStatus(200);
  }
}

/** Renders a setting such as `empty-204`. */
function renderEmpty(setting: string): HttpResponse {
  return { status: Number(setting.slice(-3)), ...EMPTY_BODY };
}

/** Wraps the object unless that would hide a promised field. */
function wrap(input: { shaped: object; object: string; operation: Operation; profile: SandboxProfile }): object {
  const { shaped, object, operation, profile } = input;
  if (profile.item === 'plain') return shaped;
  const wrapped = { [profile.item === 'data' ? 'data' : styleName(object, profile)]: shaped };
  return operation.output.safeParse(wrapped).success ? wrapped : shaped;
}

/** Returns undocumented fields, which callers must ignore. */
export function getExtraFields(view: ResourceView, profile: SandboxProfile): Record<string, unknown> {
  if (profile.extras === 'none') return {};
  const some = { workspace_id: 'ws_sandbox', livemode: false };
  const many = {
    ...some,
    _links: { self: { href: `/${view.object}s/${view['id'] ?? ''}` } },
    metadata: {},
    revision: 1,
    etag: 'W/"1"',
    'x-internal': [null, { nested: { deeper: true } }],
  };
  return profile.extras === 'some' ? some : many;
}
