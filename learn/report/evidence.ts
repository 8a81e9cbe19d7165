import { OFFSET_PARAMS, PAGE_PARAMS } from '../../src/assumptions/index.ts';
import type { Schema } from '../../src/profile/json-schema.ts';
import type { ServiceProfile } from '../../src/profile/service-profile.ts';
import { normalizeName } from '../../src/records/fields.ts';
import { PAGE_SIZE_PARAMS } from '../assumptions.ts';
import { collectNames } from '../infer/edit-schema.ts';
import { toResponseShape } from '../infer/response-shape.ts';
import { isServiceParam, restrictResponse, restrictSchema, type ServiceNamePredicate } from '../infer/service-names.ts';
import { toJsonSchema } from '../openapi/json-schema.ts';
import { renderType } from '../openapi/typescript-types.ts';
import type { RecordedResponse } from '../probes/session.ts';

/** Query values that the probes generate, so the report may show them. */
const PROBE_VALUE = /^(?:none|asc|desc|-?(?:created|updated)_at|docshare-learn[\w-]*|2099-01-01T00:00:00Z)$/;
/** Parameters whose numeric values the report may show. */
const NUMERIC_PARAMS = new Set([...PAGE_SIZE_PARAMS, ...PAGE_PARAMS, ...OFFSET_PARAMS].map(normalizeName));

/** Maximum lines of one format. */
const MAX_LINES = 120;

/**
 * Formats a request and its response, without values of the account or the API key. Of the body, only fields with
 * `names` are shown.
 */
export function createEvidence(
  response: RecordedResponse,
  { names, isServiceName }: { names: ReadonlySet<string>; isServiceName: ServiceNamePredicate },
) {
  const { number, request, status } = response;
  const query = Object.entries(request.query ?? {}).map(([name, value]) => {
    const isProbeValue =
      PROBE_VALUE.test(`${value}`) || (NUMERIC_PARAMS.has(normalizeName(name)) && /^\d{1,4}$/.test(`${value}`));
    return `${isServiceParam(name, isServiceName) ? name : '<name>'}=${isProbeValue ? value : '<…>'}`;
  });
  const path = `${request.route}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const key = request.key === 'none' ? 'without a key' : request.key === 'wrong' ? 'with a wrong key' : '';
  const shape = toResponseShape(response);
  const body = shape.body && restrictSchema(shape.body, (name) => names.has(name));
  const { media, contentType, headers } = restrictResponse(shape, isServiceName);
  const otherBody = response.isComplete ? '<body that is not JSON>' : '<body over the size limit>';
  return {
    number,
    request: [`${request.method} ${path}`, key].filter(Boolean).join('  '),
    response: [
      `${status}`,
      ...(media === null ? [] : [`content-type: ${contentType ?? media}`]),
      ...Object.entries(headers).map(([name, schema]) => `${name}: ${formatSchema(schema)}`),
      ...(media === null ? [] : ['', body ? formatSchema(body) : otherBody]),
    ].join('\n'),
  };
}

/** Formats a schema as a TypeScript type. */
function formatSchema(schema: Schema): string {
  const lines = renderType(toJsonSchema(schema)).split('\n');
  const more = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n');
}

/** Collects all field names in a profile. */
export function collectFieldNames({ operations, resources, rejections, facts }: ServiceProfile): ReadonlySet<string> {
  const responses = [...Object.values(operations).map((one) => one.response), ...Object.values(rejections)];
  const schemas = [...responses.map((one) => one?.body), ...Object.values(resources), facts.event?.body];
  return new Set(schemas.flatMap((schema) => (schema ? collectNames(schema) : [])));
}
