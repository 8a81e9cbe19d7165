import type { NamedOperation } from '../../src/operations/index.ts';
import type { FileView } from '../handlers/handler.ts';
import { type Listing, toListResult, type View } from '../handlers/view.ts';
import { answerLearned } from '../learned/answer-learned.ts';
import type { Service } from '../service.ts';
import { answerFile } from './file-answer.ts';
import { answerList } from './list-answer.ts';
import { narrowList } from './narrow-list.ts';
import { answerObject, extraFields } from './object-answer.ts';
import type { Reply } from './reply.ts';
import { shapeFields } from './shape-fields.ts';

/** What a handler gave, as this service answers it: in the forms that were learned, else by the settings of its profile. */
export async function present(
  service: Service,
  input: { named: NamedOperation; url: URL; result: View | Listing | readonly View[] | FileView },
): Promise<Reply> {
  const { profile } = service;
  const { named, url } = input;
  const { operation } = named;
  const shape = (view: View) => ({
    ...(shapeFields(view, { profile, object: view.object }) as object),
    ...extraFields(view, profile),
  });
  const learned = await answerLearned(service, { ...input, shape });
  if (learned) return learned;
  // `Handlers` ties the result's type to what the operation answers.
  if (operation.responseKind === 'file') return answerFile(service, input.result as FileView);
  if (operation.responseKind === 'item')
    return answerObject({ view: input.result as View, operation, profile });
  // `/analytics/links/{id}/visitors` lists visitors.
  const name = operation.route.split('/').at(-1) ?? 'items';
  const given = toListResult(input.result as Listing | readonly View[]);
  // The pages of a document have one order.
  const { records, view } = name === 'pages' ? given : narrowList(given, url.searchParams, profile);
  return answerList({ entries: records, shape: (record) => shape(view(record)), name, url, profile });
}
