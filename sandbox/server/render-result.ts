import type { NamedOperation } from '../../src/operations/index.ts';
import { getListName } from '../../src/operations/operation.ts';
import { type ListResult, type ResourceView, toListResult } from '../handlers/view.ts';
import { renderFile } from '../render/file-response.ts';
import { filterList, getQueryRules } from '../render/filter-list.ts';
import type { HttpResponse } from '../render/http-response.ts';
import { renderLearnedResult } from '../render/learned/learned-response.ts';
import { renderList } from '../render/list-response.ts';
import { getExtraFields, renderObject } from '../render/object-response.ts';
import { shapeFields } from '../render/shape-fields.ts';
import type { Service } from '../state/service.ts';
import type { FileView } from '../storage/stored-file.ts';

/** Renders a handler's result in the learned form, or by the settings of the profile. */
export async function renderResult(
  service: Service,
  input: { named: NamedOperation; url: URL; result: ResourceView | ListResult | readonly ResourceView[] | FileView },
): Promise<HttpResponse> {
  const { profile } = service;
  const { named, url } = input;
  const { operation } = named;
  const shapeView = (view: ResourceView) => ({
    ...(shapeFields(view, { profile, object: view.object }) as object),
    ...getExtraFields(view, profile),
  });
  const serviceProfile = await renderLearnedResult(service, { ...input, shape: shapeView });
  if (serviceProfile) return serviceProfile;
  // `Handlers` ties the result's type to the operation.
  if (operation.responseKind === 'file') return renderFile(service, input.result as FileView);
  if (operation.responseKind === 'item')
    return renderObject({ view: input.result as ResourceView, operation, profile });
  const name = getListName(operation);
  const list = toListResult(input.result as ListResult | readonly ResourceView[]);
  // Pages of a document keep their order.
  const { records, view } = name === 'pages' ? list : filterList(list, url.searchParams, getQueryRules(profile));
  return renderList({ entries: records, shape: (record) => shapeView(view(record)), name, url, profile });
}
