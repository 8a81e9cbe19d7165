import { z } from 'zod';
import { getMethod } from '../../src/get-method.ts';
import type { ListOptions, OperationName, Page } from '../../src/index.ts';
import { getOperation } from '../../src/operations/index.ts';
import { pageSizeQuery } from '../../src/pagination/page-size.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { getNote } from '../../src/response/note.ts';
import { createFilteredListResult, getFilterCriteria } from '../result/filtered-list.ts';
import { createListResult, type ListRequest } from '../result/list-result.ts';
import { toFullItem } from '../result/projection.ts';
import type { ListSource } from '../result/query-support.ts';
import { getUnredactedFields } from '../result/redact-secrets.ts';
import { ListArguments, object, text, withFields } from '../tool/arguments.ts';
import { defineTool, type OutputSchema, type Tool, type ToolContext } from '../tool/tool.ts';

/** Of a list its `items`, which the instructions name once for all. */
export const ObjectOutput: OutputSchema = { type: 'object' };

/** An answer whose named fields are texts. */
export function textOutput(...fields: readonly string[]): OutputSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
  };
}

export const ItemOutput = textOutput('id');

/** Calls an operation of the catalogue by its name. */
export function callOperation(
  context: Pick<ToolContext, 'client'> & { readonly options: ToolContext['options'] & ListOptions },
  name: OperationName,
  input: JsonObject,
): Promise<unknown> {
  return getMethod(context.client, name)(input, context.options);
}

/** Where a write was answered without an object, the `note` of its result is the client's own words. */
export function trustNote(result: unknown): { trustedFields?: readonly string[] } {
  return getNote(result) === undefined ? {} : { trustedFields: ['note'] };
}

/** The singular of an operation's group: what its items are. */
function toSingular(operation: OperationName): string {
  return (operation.split('.')[0] ?? '').replace(/s$/, '');
}

function getIdSource({ id, operation, idSource: from }: ToolSpec): { idSource?: string } {
  return id === undefined ? {} : { idSource: from ?? `list_${operation.split('.')[0]}` };
}

interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly operation: OperationName;
  /** What `id` is the id of, for its description. */
  readonly id?: string;
  /** The list of its group unless told. */
  readonly idSource?: string;
}

/** A list of the service as the answers of tools read it. */
export function createListSource(
  context: Pick<ToolContext, 'client' | 'options' | 'keyStatus' | 'recordResponse'>,
  operation: OperationName,
  { ids = {}, resource = toSingular(operation) }: { ids?: JsonObject; resource?: string | undefined } = {},
): ListSource {
  const { client, options, keyStatus } = context;
  return {
    operation,
    resource,
    behaviorCache: keyStatus.behaviorCache,
    getPageSizeQuery: (size) => pageSizeQuery(client.activeProfile, { operation, size }),
    // The list methods of the client all answer a page.
    fetch: async (query, from) => {
      const page = (await callOperation({ client, options: { ...options, cursor: from } }, operation, {
        ...query,
        ...ids,
      })) as Page<JsonObject>;
      context.recordResponse?.(operation, page.items);
      return page;
    },
  };
}

/** A tool that lists; see `ListArguments`. `without`: arguments that would mean nothing for what it lists. */
export function defineListTool(
  spec: ToolSpec & {
    readonly resource?: string;
    readonly without?: readonly (keyof typeof ListArguments.shape)[];
  },
): Tool {
  const { name, description, operation, id, resource, without = [] } = spec;
  const shape = Object.fromEntries(
    Object.entries(ListArguments.shape).filter(([key]) => !without.some((omitted) => omitted === key)),
  );
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...getIdSource(spec),
    inputSchema: z.strictObject({ ...(id === undefined ? {} : { id: text(id) }), ...shape }),
    outputSchema: ObjectOutput,
    async handler(context, args) {
      const { id: _, ...request } = args as ListRequest & { id?: string };
      const ids = id === undefined ? {} : { id: args['id'] };
      const source = createListSource(context, operation, { ids, resource });
      const criteria = getFilterCriteria(request);
      const result = criteria
        ? await createFilteredListResult(request, { source, criteria, context })
        : await createListResult(request, source);
      return { ...result, unredactedFields: getUnredactedFields(source.resource) };
    },
  });
}

/** A tool that reads one object. */
export function defineReadTool(spec: ToolSpec & { readonly outputSchema?: OutputSchema }): Tool {
  const { name, description, operation, id } = spec;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...getIdSource(spec),
    inputSchema: z.strictObject(id === undefined ? {} : { id: text(id) }),
    outputSchema: spec.outputSchema ?? (id === undefined ? ObjectOutput : ItemOutput),
    async handler(context, args) {
      const item = await callOperation(context, operation, args);
      const record = toFullItem(item, toSingular(operation));
      context.recordResponse?.(operation, [record]);
      // An answer without an id still says what it is about.
      return { data: { ...args, ...record } };
    },
  });
}

/** A tool that creates or changes something through `fields`, the service's own names sent as given. */
export function defineWriteTool(
  spec: ToolSpec & {
    readonly fields: string;
    readonly annotations?: Tool['annotations'];
    readonly confirmation?: Tool['confirmation'];
  },
): Tool {
  const { name, description, operation, id, annotations, confirmation } = spec;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...getIdSource(spec),
    inputSchema: z.strictObject({
      ...(id === undefined ? {} : { id: text(id) }),
      fields: object(spec.fields),
    }),
    outputSchema: ItemOutput,
    ...(annotations ? { annotations } : {}),
    ...(confirmation ? { confirmation } : {}),
    async handler(context, args) {
      const item = await callOperation(context, operation, withFields(args));
      // What is added under an object is not that object: its own id comes from the answer alone.
      const isNested = id !== undefined && getOperation(operation).effect === 'create';
      const knownId = isNested ? {} : { id: args['id'] };
      return {
        data: { done: true, ...knownId, ...toFullItem(item, isNested ? undefined : toSingular(operation)) },
        unredactedFields: isNested ? [] : getUnredactedFields(toSingular(operation)),
        ...trustNote(item),
      };
    },
  });
}

/** A tool that deletes; it answers even where the service says nothing. */
export function defineDeleteTool(
  spec: ToolSpec & { readonly id: string; readonly confirmation: Tool['confirmation'] },
): Tool {
  const { name, description, operation, id, confirmation } = spec;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...getIdSource(spec),
    inputSchema: z.strictObject({ id: text(id) }),
    outputSchema: ItemOutput,
    ...(confirmation ? { confirmation } : {}),
    async handler(context, args) {
      await callOperation(context, operation, args);
      return { data: { deleted: true, id: args.id }, trustedFields: ['id'] };
    },
  });
}

/** A tool that sends something to people: gated, and never twice in a row. */
export function defineSendTool(
  spec: ToolSpec & { readonly id: string; readonly confirmation: Tool['confirmation'] },
): Tool {
  const { name, description, operation, id, confirmation } = spec;
  return defineTool({
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation],
    ...getIdSource(spec),
    inputSchema: z.strictObject({ id: text(id), fields: object('Other fields, sent as given').optional() }),
    outputSchema: ItemOutput,
    deduplicate: true,
    ...(confirmation ? { confirmation } : {}),
    async handler(context, args) {
      const item = await callOperation(context, operation, withFields(args));
      return {
        data: { sent: true, id: args.id, ...toFullItem(item, toSingular(operation)) },
        ...trustNote(item),
      };
    },
  });
}
