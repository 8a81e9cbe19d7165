import type { Operation } from '../../src/operations/operation.ts';
import type { View } from '../handlers/view.ts';
import type { Profile } from '../profile/switches.ts';
import { jsonReply, type Reply } from './reply.ts';
import { shapeFields, styleName } from './shape-fields.ts';

/** What a slim answer keeps: without them a creation could not be used at all. */
const KEPT = ['id', 'secret', 'signing_secret'];

const NO_BODY = { headers: {}, body: null };

/** A single object with the status and in the wrapping of the profile; fields that the document promises always stand. */
export function answerObject(input: { view: View; operation: Operation; profile: Profile }): Reply {
  const { view, operation, profile } = input;
  const reply = answerWhole(input);
  // What the document promises stands, and a secret that is shown once is not lost.
  const isFree = operation.output.safeParse({}).success && !('secret' in view);
  return operation.effect === 'read' || !isFree ? reply : written(reply, profile);
}

/** A write's answer as services give it that say no more than that it is done. */
function written(reply: Reply, profile: Profile): Reply {
  const text = (status: number, body: string) => ({
    status,
    headers: { 'content-type': 'text/plain' },
    body,
  });
  switch (profile.written) {
    case 'object':
      return reply;
    case 'text':
      return text(200, 'OK');
    case 'queued':
      return text(202, 'queued');
    case 'empty':
      return { status: 200, ...NO_BODY };
    case 'cut':
      return { ...reply, cutShort: true };
    case 'scalar':
      return jsonReply({ status: 200, value: 'done', contentType: profile.contentType });
    case 'list':
      return jsonReply({ status: 200, value: [], contentType: profile.contentType });
  }
  throw new Error(`No answer "${profile.written}"`);
}

function answerWhole(input: { view: View; operation: Operation; profile: Profile }): Reply {
  const { view, operation, profile } = input;
  const shape = (value: unknown) => shapeFields(value, { profile, object: view.object });
  const shaped = { ...(shape(view) as object), ...extraFields(view, profile) };
  const whole = (status: number) =>
    jsonReply({
      status,
      value: wrap({ shaped, object: view.object, operation, profile }),
      contentType: profile.contentType,
    });
  switch (operation.effect) {
    case 'create': {
      const kept = Object.fromEntries(KEPT.flatMap((name) => (name in view ? [[name, view[name]]] : [])));
      const slim = shape({ object: view.object, ...kept }) as Record<string, unknown>;
      const isEnough = 'id' in kept && operation.output.safeParse(slim).success;
      return profile.createdBody === 'id' && isEnough
        ? jsonReply({ status: Number(profile.created), value: slim, contentType: profile.contentType })
        : whole(Number(profile.created));
    }
    case 'update':
    case 'send':
      if (profile.updated === 'object') return whole(200);
      return profile.updated === 'ok'
        ? jsonReply({ status: 200, value: { ok: true }, contentType: profile.contentType })
        : { status: Number(profile.updated.slice(-3)), ...NO_BODY };
    case 'delete':
      return profile.deleted === 'object-200'
        ? jsonReply({ status: 200, value: { ...(shape(view) as object), deleted: true } })
        : { status: Number(profile.deleted.slice(-3)), ...NO_BODY };
    case 'read':
      return whole(200);
  }
}

/** Wrapped as the profile says, unless that would hide a field which the document promises. */
function wrap(input: { shaped: object; object: string; operation: Operation; profile: Profile }): unknown {
  const { shaped, object, operation, profile } = input;
  if (profile.item === 'plain') return shaped;
  const wrapped = { [profile.item === 'data' ? 'data' : styleName(object, profile)]: shaped };
  return operation.output.safeParse(wrapped).success ? wrapped : shaped;
}

/** Fields that no one announced: a caller has to let them pass. */
export function extraFields(view: View, profile: Profile): Record<string, unknown> {
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
