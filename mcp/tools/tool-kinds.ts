import { z } from 'zod';
import type { JsonObject } from '../../src/answer/fields.ts';
import { getPageSizeParams } from '../../src/answer/learned-pages.ts';
import { getNote } from '../../src/answer/note.ts';
import type { ListOptions, OperationName, Page } from '../../src/index.ts';
import { getMethod } from '../../src/method-of.ts';
import { getOperation } from '../../src/operations/index.ts';
import { filteredAnswer, wantedBy } from '../answer/filtered-list.ts';
import type { ListSource } from '../answer/heeded.ts';
import { type ListRequest, listAnswer } from '../answer/list-answer.ts';
import { toFullItem } from '../answer/projection.ts';
import { getUnredactedFields } from '../answer/secrets.ts';
import { ListArguments, object, text, withFields } from '../contract/arguments.ts';
import { defineTool, type OutputSchema, type Tool, type ToolContext } from '../contract/tool.ts';

/** Of a list its `items`, which the instructions name once for all. */
export const ObjectAnswer: OutputSchema = { type: 'object' };

/** An answer whose named fields are texts. */
export function textAnswer(...fields: readonly string[]): OutputSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
  };
}

export const ItemAnswer = textAnswer('id');

/** Calls an operation of the catalogue by its name. */
export function callOperation(
  context: Pick<ToolContext, 'client'> & { readonly options: ToolContext['options'] & ListOptions },
  name: OperationName,
  input: JsonObject,
): Promise<unknown> {
  return getMethod(context.client, name)(input, context.options);
}

/** Where a write was answered without an object, the `note` of its result is the client's own words. */
export function ownNote(result: unknown): { own?: readonly string[] } {
  return getNote(result) === undefined ? {} : { own: ['note'] };
}

/** The singular of an operation's group: what its items are. */
function toSingular(operation: OperationName): string {
  return (operation.split('.')[0] ?? '').replace(/s$/, '');
}

function idsFrom({ id, operation, idsFrom: from }: Words): { idsFrom?: string } {
  return id === undefined ? {} : { idsFrom: from ?? `list_${operation.split('.')[0]}` };
}

interface Words {
  readonly name: string;
  readonly description: string;
  readonly operation: OperationName;
  /** What `id` is the id of, for its description. */
  readonly id?: string;
  /** The list of its group unless told. */
  readonly idsFrom?: string;
}

/** A list of the service as the answers of tools read it. */
export function listSource(
  context: Pick<ToolContext, 'client' | 'options' | 'keyStatus' | 'noteShown'>,
  operation: OperationName,
  { ids = {}, resource = toSingular(operation) }: { ids?: JsonObject; resource?: string | undefined } = {},
): ListSource {
  const { client, options, keyStatus } = context;
  return {
    operation,
    resource,
    habits: keyStatus.habits,
    getPageSizeQuery: (size) => getPageSizeParams(client.activeProfile, { operation, size }),
    // The list methods of the client all answer a page.
    fetch: async (asked, from) => {
      const page = (await callOperation({ client, options: { ...options, cursor: from } }, operation, {
        ...asked,
        ...ids,
      })) as Page<JsonObject>;
      context.noteShown?.(operation, page.items);
      return page;
    },
  };
}

/** A tool that lists; see `ListArguments`. `without`: arguments that would mean nothing for what it lists. */
export function listTool(
  words: Words & {
    readonly resource?: string;
    readonly without?: readonly (keyof typeof ListArguments.shape)[];
  },
): Tool {
  const { name, description, operation, id, resource, without = [] } = words;
  const shape = Object.fromEntries(
    Object.entries(ListArguments.shape).filter(([key]) => !without.some((left) => left === key)),
  );
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...idsFrom(words),
    inputSchema: z.strictObject({ ...(id === undefined ? {} : { id: text(id) }), ...shape }),
    outputSchema: ObjectAnswer,
    async handler(context, args) {
      const { id: _, ...request } = args as ListRequest & { id?: string };
      const ids = id === undefined ? {} : { id: args['id'] };
      const source = listSource(context, operation, { ids, resource });
      const wanted = wantedBy(request);
      const answer = wanted
        ? await filteredAnswer(request, { source, wanted, context })
        : await listAnswer(request, source);
      return { ...answer, unredactedFields: getUnredactedFields(source.resource) };
    },
  });
}

/** A tool that reads one object. */
export function readTool(words: Words & { readonly answers?: OutputSchema }): Tool {
  const { name, description, operation, id } = words;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...idsFrom(words),
    inputSchema: z.strictObject(id === undefined ? {} : { id: text(id) }),
    outputSchema: words.answers ?? (id === undefined ? ObjectAnswer : ItemAnswer),
    async handler(context, args) {
      const item = await callOperation(context, operation, args);
      const record = toFullItem(item, toSingular(operation));
      context.noteShown?.(operation, [record]);
      // An answer without an id still says what it is about.
      return { data: { ...args, ...record } };
    },
  });
}

/** A tool that creates or changes something through `fields`, the service's own names sent as given. */
export function writeTool(
  words: Words & {
    readonly fields: string;
    readonly hints?: Tool['annotations'];
    readonly gate?: Tool['confirmation'];
  },
): Tool {
  const { name, description, operation, id, hints, gate } = words;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...idsFrom(words),
    inputSchema: z.strictObject({
      ...(id === undefined ? {} : { id: text(id) }),
      fields: object(words.fields),
    }),
    outputSchema: ItemAnswer,
    ...(hints ? { hints } : {}),
    ...(gate ? { gate } : {}),
    async handler(context, args) {
      const item = await callOperation(context, operation, withFields(args));
      // What is added under an object is not that object: its own id comes from the answer alone.
      const nested = id !== undefined && getOperation(operation).effect === 'create';
      const known = nested ? {} : { id: args['id'] };
      return {
        data: { done: true, ...known, ...toFullItem(item, nested ? undefined : toSingular(operation)) },
        unredactedFields: nested ? [] : getUnredactedFields(toSingular(operation)),
        ...ownNote(item),
      };
    },
  });
}

/** A tool that deletes; it answers even where the service says nothing. */
export function deleteTool(
  words: Words & { readonly id: string; readonly gate: Tool['confirmation'] },
): Tool {
  const { name, description, operation, id, gate } = words;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...idsFrom(words),
    inputSchema: z.strictObject({ id: text(id) }),
    outputSchema: ItemAnswer,
    ...(gate ? { gate } : {}),
    async handler(context, args) {
      await callOperation(context, operation, args);
      return { data: { deleted: true, id: args.id }, trustedFields: ['id'] };
    },
  });
}

/** A tool that sends something to people: gated, and never twice in a row. */
export function sendTool(words: Words & { readonly id: string; readonly gate: Tool['confirmation'] }): Tool {
  const { name, description, operation, id, gate } = words;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...idsFrom(words),
    inputSchema: z.strictObject({ id: text(id), fields: object('Other fields, sent as given').optional() }),
    outputSchema: ItemAnswer,
    deduplicate: true,
    ...(gate ? { gate } : {}),
    async handler(context, args) {
      const item = await callOperation(context, operation, withFields(args));
      return {
        data: { sent: true, id: args.id, ...toFullItem(item, toSingular(operation)) },
        ...ownNote(item),
      };
    },
  });
}
