import type { NamedOperation } from '../../src/operations/index.ts';
import { valueTypes } from '../../src/profile/generate-sample.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { OperationProfile } from '../../src/profile/service-profile.ts';
import type { ResourceView } from '../handlers/view.ts';
import type { HttpResponse } from '../http/reply.ts';
import { fillPlaces } from './fill-places.ts';
import { fillObject, type Source } from './fit.ts';
import { learnedReply } from './learned-reply.ts';

/** A single object as the service answers it that was learned; undefined where nothing is known of the operation. */
export function answerLearnedItem(input: {
  called: OperationProfile | undefined;
  named: NamedOperation;
  view: ResourceView;
  source: Source;
  /** Where the answer holds it. */
  place: readonly string[];
}): HttpResponse | undefined {
  const { called, named, view, source } = input;
  const answer = called?.answer;
  if (!answer) return undefined;
  const { effect } = named.operation;
  const envelope = { view: envelopeOf(answer.status), seed: `${named.name} answer`, profile: source.profile };
  const reply = learnedReply(answer, () =>
    fillPlaces(
      answer.body,
      [
        {
          path: input.place,
          value: (form) =>
            fillItem(
              form,
              { ...source, view: { ...source.view, deleted: effect === 'delete' } },
              answer.status,
            ),
        },
      ],
      envelope,
    ),
  );
  const [method, path] = named.operation.route.split(' ');
  const isNew = method === 'POST' && effect === 'create' && view['id'] !== undefined;
  // Goes out where such a header was learned.
  const place = isNew
    ? { location: `/api/v1${path?.split('/{')[0]}/${encodeURIComponent(String(view['id']))}` }
    : {};
  return { ...reply, headers: { ...reply.headers, ...place } };
}

/** Where the answer is no object, nothing of the view can stand in it. */
function fillItem(form: Schema | undefined, source: Source, status: number): unknown {
  const types = valueTypes(form ?? {});
  if (types.includes('array')) return [];
  if (types.length > 0 && !types.includes('object'))
    return types.includes('boolean') ? true : types.includes('string') ? 'OK' : 0;
  // What an answer says of itself may stand among the fields of the object.
  return fillObject(form ?? {}, { ...source, view: { ...envelopeOf(status), ...source.view } });
}

/** What an answer may say of itself, besides what it holds. */
function envelopeOf(status: number): Readonly<Record<string, unknown>> {
  return { ok: true, success: true, code: status, error: null, errors: null };
}
