import { OFFSET_PARAMS, PAGE_PARAMS } from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { PAGE_SIZE_PARAMS } from '../assumptions.ts';
import { toResponseShape } from '../infer/response-shape.ts';
import {
  isServiceHeader,
  isServiceParam,
  restrictResponse,
  type ServiceNamePredicate,
} from '../infer/service-names.ts';
import type { RecordedResponse } from '../probes/session.ts';
import { formatSchemaOutline } from './schema-outline.ts';

/** A request and the format of its response, without values of the account or the API key. */
export interface Evidence {
  readonly number: number;
  readonly topic: string;
  readonly request: string;
  readonly response: string;
}

/** Query values that the probes generate, so the report may show them. */
const PROBE_VALUE = /^(?:none|asc|desc|-?(?:created|updated)_at|docshare-learn[\w-]*|2099-01-01T00:00:00Z)$/;
/** Parameters whose numeric values the report may show. */
const NUMERIC_PARAMS = new Set([...PAGE_SIZE_PARAMS, ...PAGE_PARAMS, ...OFFSET_PARAMS].map(normalizeName));

/** Creates the evidence for a response. Fields that are not in `names` are shown as `<name>`. */
export function createEvidence(
  response: RecordedResponse,
  { names, isServiceName }: { names: ReadonlySet<string>; isServiceName: ServiceNamePredicate },
): Evidence {
  const { number, request, status } = response;
  const query = Object.entries(request.query ?? {}).map(([name, value]) => {
    const isProbeValue =
      PROBE_VALUE.test(`${value}`) || (NUMERIC_PARAMS.has(normalizeName(name)) && /^\d{1,4}$/.test(`${value}`));
    return `${isServiceParam(name, isServiceName) ? name : '<name>'}=${isProbeValue ? value : '<…>'}`;
  });
  const path = `${request.route}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const key = request.key === 'none' ? 'without a key' : request.key === 'wrong' ? 'with a wrong key' : '';
  const shape = toResponseShape(response);
  const restricted = restrictResponse(shape, isServiceName);
  const headers = Object.entries(shape.headers).map(
    ([name, schema]) => `${isServiceHeader(name, isServiceName) ? name : '<name>'}: ${formatSchemaOutline(schema)}`,
  );
  const type = shape.media === null ? [] : [`content-type: ${restricted.contentType ?? restricted.media}`];
  const body = shape.body
    ? ['', formatSchemaOutline(shape.body, names)]
    : shape.media === null
      ? []
      : ['', response.isComplete ? '<body that is not JSON>' : '<body over the size limit>'];
  return {
    number,
    topic: request.topic,
    request: [`${request.method} ${path}`, key].filter(Boolean).join('  '),
    response: [`${status}`, ...type, ...headers, ...body].join('\n'),
  };
}

/** Collects all field names in a profile. */
export function collectFieldNames({ operations, resources, rejections, facts }: ServiceProfile): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (schema: Schema | undefined): void => {
    if (!schema) return;
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      names.add(name);
      add(field);
    }
    add(schema.items);
    add(schema.additionalProperties);
  };
  for (const one of Object.values(operations)) add(one?.answer?.body);
  for (const one of Object.values(rejections)) add(one?.body);
  for (const one of Object.values(resources)) add(one);
  add(facts.event?.body);
  return names;
}
