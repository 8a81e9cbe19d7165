import { STATUS_CODES } from 'node:http';
import type { NamedOperation } from '../../src/operations/index.ts';
import { getResourceName } from '../../src/profile/fields.ts';
import type { ResponseShape, ServiceProfile } from '../../src/profile/format.ts';
import { documentedFields } from './documented.ts';
import { createExample, type Json, type Known, known, toJsonSchema, withPlace } from './form.ts';
import { componentName } from './resources.ts';

const JSON_MEDIA = 'application/json';

/** What a success answers: by its status where it was seen, else by what the API document says of it. */
export function getSuccessResponses(
  named: NamedOperation,
  profile: ServiceProfile | undefined,
): Record<string, Json> {
  const { name, operation } = named;
  const called = profile?.operations[name];
  const record = getRecordSchema(named);
  // A file from elsewhere may say anything: a success is a 2xx, and a file may be answered by a redirect.
  const isSuccess = called?.answer && called.answer.status >= 200 && called.answer.status < 400;
  if (!called?.answer || !isSuccess)
    return {
      '2XX': { ...documentedAnswer(named, record), ...known(hasFields(named) ? 'documented' : 'unknown') },
    };
  const { answer, list, item } = called;
  const path = list ? list.at : (item ?? []);
  const at = (form: Json) => (list ? { ...form, items: record } : record);
  const isRecord = operation.responseKind !== 'file' && operation.effect !== 'delete' && (list || item);
  const form = answer.body && toJsonSchema(answer.body, seenBy(answer));
  return {
    [answer.status]: toOpenApiResponse(answer, form && isRecord ? withPlace(form, path, at) : form),
  };
}

/** An answer as it was seen. */
export function toOpenApiResponse(answer: ResponseShape, form: Json | undefined): Json {
  const { status, headers, body } = answer;
  const media = toSafeMediaType(answer.media);
  const shown = Object.entries(headers).filter(([name]) => /^[a-z0-9!#$%&'*+.^_|~-]{1,100}$/.test(name));
  return {
    description: STATUS_CODES[status] ?? `Status ${status}`,
    ...(shown.length > 0
      ? {
          headers: Object.fromEntries(
            shown.map(([name, schema]) => [name, { schema: toJsonSchema(schema) }]),
          ),
        }
      : {}),
    ...(media === undefined
      ? {}
      : {
          content: {
            [media]: {
              ...(form ? { schema: form } : {}),
              ...(body ? createExample(body) : {}),
            },
          },
        }),
    ...known(seenBy(answer), { seen: answer.seen }),
  };
}

export function seenBy({ seen }: ResponseShape): Known {
  return seen > 0 ? 'seen' : 'concluded';
}

function toSafeMediaType(media: string | null): string | undefined {
  if (media === null) return undefined;
  return /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/.test(media) ? media : 'application/octet-stream';
}

/** §4: an address, not raw bytes; the rest says what it holds and not in what envelope. */
function documentedAnswer({ operation }: NamedOperation, record: Json): Json {
  if (operation.effect === 'delete')
    return { description: 'It is removed; what the answer holds is not shown.' };
  if (operation.responseKind === 'file')
    return { description: 'A short-lived address of the file; in what form it is given is not shown.' };
  if (operation.responseKind === 'list') {
    const description = 'A list. Its envelope and how it goes on are not shown.';
    return { description, content: { [JSON_MEDIA]: { schema: known('unknown', { entries: record }) } } };
  }
  return { description: 'Success', content: { [JSON_MEDIA]: { schema: record } } };
}

function hasFields({ operation }: NamedOperation): boolean {
  return operation.responseKind === 'item' && documentedFields(operation.output).required.length > 0;
}

/** The object of an answer; where the document promises fields of it, they are in it. */
function getRecordSchema({ name, operation }: NamedOperation): Json {
  const component = componentName(getResourceName(name));
  const reference = component === undefined ? {} : { $ref: `#/components/schemas/${component}` };
  const { required } = documentedFields(operation.output);
  return required.length > 0 ? { allOf: [reference, { required }] } : reference;
}
