import { type NamedOperation, operations } from '../../../src/operations/index.ts';
import { getListName } from '../../../src/operations/operation.ts';
import { getValueTypes } from '../../../src/profile/generate-sample.ts';
import type { Schema } from '../../../src/profile/json-schema.ts';
import { getResourceName, getSchemaAt } from '../../../src/profile/profile-fields.ts';
import type { OperationProfile, ResponseShape, ServiceProfile } from '../../../src/profile/service-profile.ts';
import { BASE_PATH } from '../../base/base-path.ts';
import { type ListResult, type ResourceView, toListResult } from '../../handlers/view.ts';
import { getItemPath } from '../../service-profile/item-path.ts';
import type { Service } from '../../state/service.ts';
import { createDownloadUrl } from '../../storage/storage-urls.ts';
import type { FileView } from '../../storage/stored-file.ts';
import { renderFile } from '../file-response.ts';
import { filterList } from '../filter-list.ts';
import type { HttpResponse } from '../http-response.ts';
import { renderPage } from '../list-response.ts';
import { getPagingRules } from '../paging-rules.ts';
import { hasExactPaging } from './closest-paging.ts';
import { type RenderSource, renderLearnedObject, wrapInEnvelope } from './learned-object.ts';
import { getLearnedRules } from './learned-paging.ts';

interface Result {
  readonly named: NamedOperation;
  readonly url: URL;
  readonly result: ResourceView | ListResult | readonly ResourceView[] | FileView;
  /** Renders a view by the switches alone. */
  readonly shape: (view: ResourceView) => unknown;
}

/** Renders a result in the learned form of its operation; undefined if none was learned. */
export async function renderLearnedResult(service: Service, result: Result): Promise<HttpResponse | undefined> {
  const { serviceProfile } = service;
  const operationProfile = serviceProfile?.operations[result.named.name];
  if (!serviceProfile || !operationProfile) return undefined;
  switch (result.named.operation.responseKind) {
    case 'file':
      return renderLearnedFile(service, result.result as FileView, operationProfile);
    case 'item':
      return (
        operationProfile.response &&
        renderLearnedItem(service, result, { ...operationProfile, response: operationProfile.response })
      );
    case 'list':
      return renderLearnedList(service, result, { serviceProfile, operationProfile });
  }
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/** Creates a response with the learned status and media type; `value` is its body if that is JSON. */
export function createLearnedResponse(
  { status, media, contentType, body }: ResponseShape,
  value: () => unknown,
  text = 'OK',
): HttpResponse {
  if (media === null || WITHOUT_BODY.has(status)) return { status, headers: {}, body: null };
  const content = body ? JSON.stringify(value()) : media.startsWith('text/') ? text : '';
  return { status, headers: { 'content-type': contentType ?? media }, body: content };
}

function renderLearnedItem(
  service: Service,
  { named, result }: Result,
  operationProfile: OperationProfile & { response: ResponseShape },
): HttpResponse {
  const { response } = operationProfile;
  const view = result as ResourceView;
  const { effect, route } = named.operation;
  const envelope = { ok: true, success: true, code: response.status, error: null, errors: null };
  const source = getSource(service, named, view);
  const item = { ...source, view: { ...envelope, ...source.view, deleted: effect === 'delete' } };
  const reply = createLearnedResponse(response, () => {
    const path = getItemPath(operationProfile);
    const value = fitWhole(getSchemaAt(response.body, path) ?? {}, item);
    return wrapInEnvelope(response.body ?? {}, path, value, { ...source, view: envelope, custom: {}, isBlank: false });
  });
  const [method, path] = route.split(' ');
  if (method !== 'POST' || effect !== 'create' || view['id'] === undefined) return reply;
  // Sent if such a header was learned.
  const location = `${BASE_PATH}${path?.split('/{')[0]}/${encodeURIComponent(String(view['id']))}`;
  return { ...reply, headers: { ...reply.headers, location } };
}

function fitWhole(form: Schema, source: RenderSource): unknown {
  const [type = 'object'] = getValueTypes(form);
  const plain: Readonly<Record<string, unknown>> = { array: [], boolean: true, string: 'OK', integer: 0, number: 0 };
  return type === 'object' ? renderLearnedObject(form, source) : plain[type];
}

function renderLearnedList(
  service: Service,
  { named, url, result, shape }: Result,
  { serviceProfile, operationProfile }: { serviceProfile: ServiceProfile; operationProfile: OperationProfile },
): HttpResponse | undefined {
  const { list, response } = operationProfile;
  if (!list) return undefined;
  const { profile } = service;
  const resource = getResourceName(named.name);
  const known = Object.hasOwn(serviceProfile.resources, resource) ? serviceProfile.resources[resource] : undefined;
  const items = getSchemaAt(response?.body, list.at)?.items ?? known;
  const isObject = items !== undefined && getValueTypes(items).includes('object');
  const all = toListResult(result as ListResult | readonly ResourceView[]);
  const { records, view } = filterList(all, url.searchParams, list);
  const closest = getPagingRules(profile, getListName(named.operation));
  const scheme = { ...closest.scheme, at: list.at, size: { ...closest.scheme.size, ...list.size } };
  const isPreset = hasExactPaging(serviceProfile) && scheme.next !== undefined;
  const { value, headers } = renderPage(
    {
      entries: records,
      shape: (record) =>
        isObject ? renderLearnedObject(items, getSource(service, named, view(record))) : shape(view(record)),
      url,
    },
    isPreset ? { ...closest, scheme } : getLearnedRules(list, closest, response?.body),
  );
  const reply = createLearnedResponse(
    {
      status: 200,
      media: 'application/json',
      contentType: profile.contentType,
      headers: {},
      seen: 0,
      ...response,
      body: {},
    },
    () => value,
  );
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** §4: a URL in JSON, a redirect, or the bytes. */
async function renderLearnedFile(
  service: Service,
  file: FileView,
  { response }: OperationProfile,
): Promise<HttpResponse | undefined> {
  const { download } = service.serviceProfile?.facts ?? {};
  if (!download) return undefined;
  const { profile } = service;
  if (download.by !== 'url') {
    const setting = download.by === 'bytes' ? 'bytes' : 'redirect-302';
    const reply = await renderFile({ ...service, profile: { ...profile, download: setting } }, file);
    return { ...reply, status: download.status };
  }
  if (!response || !download.at || download.at.length === 0) return undefined;
  const { version, name } = file;
  const { url, expires_at } = createDownloadUrl(service, { version, name });
  const view = { name, file_name: name, content_type: version.content_type, size: version.size, expires_at };
  const source = { view, seed: `file ${name}`, profile };
  return createLearnedResponse(response, () => wrapInEnvelope(response.body ?? {}, download.at ?? [], url, source));
}

/** Generated values follow from the id, so that they stay the same. */
function getSource(
  { profile, state, serviceProfile }: Service,
  named: NamedOperation,
  { custom, ...view }: ResourceView,
): RenderSource {
  const id = view['id'] ?? view['page'] ?? view['link_id'] ?? view['room_id'] ?? '';
  return {
    view: { ...getNameParts({ ...view, custom }), ...view },
    custom,
    seed: `${view['object']} ${id}`,
    profile,
    isBlank: state.callerCreatedIds.has(String(id)),
    created: getCreatedForm(serviceProfile, named),
  };
}

function getCreatedForm(serviceProfile: ServiceProfile | null, { group }: NamedOperation): Schema | undefined {
  const name = operations.find((one) => one.name === `${group}.create`)?.name;
  const create = name && serviceProfile?.operations[name];
  return create && getSchemaAt(create.response?.body, getItemPath(create));
}

const PEOPLE = new Set(['contact', 'recipient', 'visitor', 'visit']);

/** Services may split a person's name in two fields. */
function getNameParts({ object, name, custom = {} }: Record<string, unknown>): Readonly<Record<string, string>> {
  const isKnown = Object.keys(Object(custom)).some((field) => /name/i.test(field));
  if (!PEOPLE.has(String(object)) || typeof name !== 'string' || isKnown) return {};
  const [first = '', ...rest] = name.split(' ');
  return { first_name: first, last_name: rest.join(' ') };
}
