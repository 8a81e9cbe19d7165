import { z } from 'zod';
import { RECORD_FIELDS } from '../../src/assumptions/index.ts';
import { checkInput } from '../../src/check-input.ts';
import { getMethod } from '../../src/get-method.ts';
import type { ListOptions, OperationName, Page } from '../../src/index.ts';
import { getOperation } from '../../src/operations/index.ts';
import { createPageSizeQuery } from '../../src/pagination/page-size.ts';
import { includesName, isObject, type JsonObject } from '../../src/records/fields.ts';
import { tryProfileBodyFirst } from '../../src/request/try-request-bodies.ts';
import { getNote } from '../../src/response/note.ts';
import { PRICE_FIELD_PATTERN, SENT_TEXT_FIELDS, USUAL_FIELDS } from '../assumptions.ts';
import { createFilteredListResult, getFilterCriteria } from '../result/filtered-list.ts';
import { createListResult, type ListRequest } from '../result/list-result.ts';
import { toFullItem } from '../result/projection.ts';
import type { ListSource } from '../result/query-support.ts';
import { getUnredactedFields } from '../result/redact-secrets.ts';
import { ListArguments, mergeFields, object, text } from '../tool/arguments.ts';
import { formatCount, formatShortList, joinList, NOT_READY } from '../tool/headline.ts';
import { defineTool, getGroup, getResourceNoun, type OutputSchema, type Tool, type ToolContext } from '../tool/tool.ts';
import { checkReadiness } from './check-readiness.ts';
import { getPeople, showsRecipients } from './describe-object.ts';
import { formatDraftContent, MAX_FIELDS } from './draft-confirmation.ts';
import { findOtherEmails, formatChanges, getFieldChanges, omitRecipientField } from './field-changes.ts';
import { getObjectAction, type NewObjectEffects, type WriteConfirmation } from './object-action.ts';
import { type ListedGroup, rememberFormerName } from './object-lookup.ts';

/** Groups whose objects can be renamed, without approval, although questions name them. */
const RENAMED_GROUPS = ['links', 'templates', 'contacts'] as const;

/** Of a message whose end changes, recipients read the start too. */
const SHOWN_START = 20;
/** Of more people, one more matters more than a field. */
const MAX_PEOPLE_BESIDE_FIELDS = 3;

/** Output of a list: the server instructions describe `items` once for all lists. */
export const AnyObjectOutput: OutputSchema = { type: 'object' };

/** Returns an output schema whose named fields are strings. */
export function createTextOutputSchema(...fields: readonly string[]): OutputSchema {
  return { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) };
}

export const ItemOutput = createTextOutputSchema('id');

export function callOperation(
  context: Pick<ToolContext, 'client'> & { readonly options: ToolContext['options'] & ListOptions },
  name: OperationName,
  input: JsonObject,
): Promise<unknown> {
  return getMethod(context.client, name)(input, context.options);
}

/** Checks the input of an operation before anybody is asked. @throws InputError */
export function checkOperation({ client }: Pick<ToolContext, 'client'>, name: OperationName, input: JsonObject): void {
  checkInput(client.baseUrl, name, input);
}

/** Trusts `note` of a write whose response held no object: the client wrote that text. */
export function getTrustedNoteFields(result: unknown): { trustedFields?: readonly string[] } {
  return getNote(result) === undefined ? {} : { trustedFields: ['note'] };
}

/** Parts of a tool that calls one operation. */
interface OperationToolSpec {
  readonly name: string;
  readonly description: string;
  readonly operation: OperationName;
  /** Description of the argument `id`; without it the tool takes no id. */
  readonly id?: string;
  /** Tool that lists the ids; default: the list of the operation's group. */
  readonly idSource?: string;
}

function getToolBase({ name, description, operation, id, idSource }: OperationToolSpec) {
  return {
    name,
    title: getOperation(operation).title,
    description,
    operations: [operation] as const,
    ...(id === undefined ? {} : { idSource: idSource ?? `list_${getGroup(operation)}` }),
  };
}

function getIdShape({ id }: OperationToolSpec) {
  return id === undefined ? {} : { id: text(id) };
}

/** List of the service from which tools read pages. */
export function createListSource(
  context: Pick<ToolContext, 'client' | 'options' | 'keyStatus' | 'recordResponse'>,
  operation: OperationName,
  { ids = {}, resource = getResourceNoun(operation) }: { ids?: JsonObject; resource?: string | undefined } = {},
): ListSource {
  const { client, options, keyStatus } = context;
  return {
    operation,
    resource,
    behaviorCache: keyStatus.behaviorCache,
    getPageSizeQuery: (size) => createPageSizeQuery(client.activeProfile, { operation, size }),
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

/** Defines a tool that lists. `without` drops arguments that don't apply to its items. */
export function defineListTool(
  spec: OperationToolSpec & {
    readonly resource?: string;
    readonly without?: readonly (keyof typeof ListArguments.shape)[];
    /** Arguments that mean something else for its items. */
    readonly shape?: z.ZodRawShape;
  },
): Tool {
  const { operation, id, resource, without = [] } = spec;
  const shape = Object.fromEntries(
    Object.entries({ ...ListArguments.shape, ...spec.shape }).filter(
      ([key]) => !without.some((omitted) => omitted === key),
    ),
  );
  return defineTool({
    ...getToolBase(spec),
    inputSchema: z.strictObject({ ...getIdShape(spec), ...shape }),
    outputSchema: AnyObjectOutput,
    async handler(context, args) {
      const { id: _, ...request } = args as ListRequest & { id?: string };
      const ids = id === undefined ? {} : { id: args['id'] };
      const source = createListSource(context, operation, { ids, resource });
      const criteria = getFilterCriteria(request);
      const result = criteria
        ? await createFilteredListResult(request, { source, criteria, context })
        : await createListResult(request, source);
      return { ...result, unredactedFields: getUnredactedFields(source.resource).map((name) => `items.${name}`) };
    },
  });
}

/** Defines a tool that reads one object. */
export function defineReadTool(spec: OperationToolSpec): Tool {
  const { operation, id } = spec;
  return defineTool({
    ...getToolBase(spec),
    inputSchema: z.strictObject(getIdShape(spec)),
    outputSchema: id === undefined ? AnyObjectOutput : ItemOutput,
    async handler(context, args) {
      const item = await callOperation(context, operation, args);
      const record = toFullItem(item, getResourceNoun(operation));
      context.recordResponse?.(operation, [record]);
      // A response without an id still says which object it describes.
      return { data: { ...args, ...record } };
    },
  });
}

/** Plain arguments of a write, and the bodies that may mean them, likeliest first. */
export interface PlainForm {
  readonly shape: z.ZodRawShape;
  readonly toBodies: (plain: JsonObject) => readonly JsonObject[];
}

/** Distinct candidate bodies of a call, without undefined fields. */
function getCandidateBodies({ id: _, fields: __, ...plain }: JsonObject, form: PlainForm | undefined): JsonObject[] {
  const bodies = (form?.toBodies(plain) ?? [plain]).map((body) => JSON.stringify(body));
  return [...new Set(bodies)].map((body) => JSON.parse(body));
}

/**
 * Defines a tool that creates or changes an object through `fields`, sent under the service's own names. Plain arguments
 * are sent under the names that the service accepts.
 */
export function defineWriteTool(
  spec: OperationToolSpec & {
    /** Description of the argument `fields`. */
    readonly fields: string;
    readonly form?: PlainForm;
    readonly confirmation: WriteConfirmation;
    /** See `Tool.getNewObjectEffects`. */
    readonly newObjectEffects?: NewObjectEffects;
  },
): Tool {
  const { operation, id, confirmation, form, newObjectEffects } = spec;
  const fields = object(spec.fields);
  const toInput = (args: JsonObject, body = getCandidateBodies(args, form)[0]) =>
    mergeFields({ ...body, ...(id === undefined ? {} : { id: args['id'] }), fields: args['fields'] });
  const toSentFields = (args: JsonObject) => {
    const { extra, ...named } = toInput({ ...args, id: undefined });
    if (id !== undefined) delete named['id'];
    return { ...named, ...(isObject(extra) ? extra : {}) };
  };
  return defineTool({
    ...getToolBase(spec),
    inputSchema: z.strictObject({
      ...getIdShape(spec),
      ...(form ? { ...form.shape, fields: fields.optional() } : { fields }),
    }),
    outputSchema: ItemOutput,
    check: (args: JsonObject, context) => checkOperation(context, operation, toInput(args)),
    confirmation: (args: JsonObject, context) =>
      confirmation({ id: String(args['id'] ?? ''), fields: toSentFields(args) }, context),
    ...(newObjectEffects && {
      getNewObjectEffects: (args: JsonObject, context: ToolContext) => newObjectEffects(toSentFields(args), context),
    }),
    async handler(context, args) {
      const bodies = getCandidateBodies(args, form);
      const group = RENAMED_GROUPS.find((renamed) => operation === `${renamed}.update`);
      if (group) await rememberFormerName(context, group, { id: String(args['id']), fields: toInput(args) });
      const item = await tryProfileBodyFirst(context.client.activeProfile, { operation, bodies }, (body) =>
        callOperation(context, operation, toInput(args, body)),
      );
      // The id of an object that is added below another one comes only from the response.
      const isNested = id !== undefined && getOperation(operation).effect === 'create';
      const knownId = isNested ? {} : { id: args['id'] };
      return {
        data: { done: true, ...knownId, ...toFullItem(item, isNested ? undefined : getResourceNoun(operation)) },
        unredactedFields: isNested ? [] : getUnredactedFields(getResourceNoun(operation)),
        ...getTrustedNoteFields(item),
      };
    },
  });
}

/** Operation on an object that questions look up in its list. */
type ListedOperation = Extract<OperationName, `${ListedGroup}.${string}`>;

const getListedGroup = (operation: ListedOperation) => getGroup(operation) as ListedGroup;

/** Defines a tool that deletes an object after confirmation. `consequence`: what the user reads before approving. */
export function defineDeleteTool(
  spec: OperationToolSpec & { readonly operation: ListedOperation; readonly id: string; readonly consequence: string },
): Tool {
  const { operation, consequence } = spec;
  return defineTool({
    ...getToolBase(spec),
    inputSchema: z.strictObject({ id: text(spec.id) }),
    outputSchema: ItemOutput,
    check: (args, context) => checkOperation(context, operation, args),
    confirmation: ({ id }) =>
      getObjectAction([getListedGroup(operation), id], {
        effects: [`${operation} ${id}`],
        getHeadline: ({ name }) => `Delete ${getResourceNoun(operation)} ${name}. ${consequence}`,
      }),
    async handler(context, args) {
      await callOperation(context, operation, args);
      return { data: { deleted: true, id: args.id }, trustedFields: ['id'] };
    },
  });
}

/**
 * Defines a tool that sends an object to people after confirmation, at most once in ten minutes. `purpose` follows the
 * people in the question.
 */
export function defineSendTool(
  spec: OperationToolSpec & { readonly operation: ListedOperation; readonly id: string; readonly purpose?: string },
): Tool {
  const { operation, purpose = '' } = spec;
  const group = getListedGroup(operation);
  return defineTool({
    ...getToolBase(spec),
    inputSchema: z.strictObject({
      id: text(spec.id),
      fields: object(`Extra API fields, usually: ${USUAL_FIELDS.send}.`).optional(),
    }),
    outputSchema: ItemOutput,
    deduplicate: true,
    // Another message does not make it another sending.
    canonicalCall: ({ id }) => ({ operation, input: { id } }),
    check: (args, context) => checkOperation(context, operation, mergeFields(args)),
    confirmation: ({ id, fields = {} }) =>
      getObjectAction([group, id], {
        effects: [`${operation} ${id}`],
        fields,
        check: ({ item }, context) => checkReadiness(context, { group, item, fields }),
        getHeadline: ({ name, item }, problems, document) => {
          const recipients = getPeople(fields, item);
          const people = [...recipients, ...findOtherEmails(item ?? {}, recipients)];
          // `people` names the recipients of a list.
          const otherNames = Object.keys(fields).filter((name) => !showsRecipients({ [name]: fields[name] }));
          const { price, texts } = formatDraftContent(item ?? {}, fields);
          const isPrice = (name: string) => PRICE_FIELD_PATTERN.test(name) || includesName(RECORD_FIELDS.amount, name);
          // Shows both values if the request replaces a text or price, because the service may keep the draft's.
          const isShown = (name: string) => includesName(SENT_TEXT_FIELDS, name) || isPrice(name);
          const shown = Object.fromEntries(Object.entries(item ?? {}).filter(([name, old]) => old && isShown(name)));
          const format = (names: readonly string[]) =>
            formatChanges(getFieldChanges(names, fields, shown), SHOWN_START);
          const changes = format(otherNames.filter((name) => !isPrice(name)));
          const prices = format(otherNames.filter(isPrice));
          const newPrice = prices.length > 0 ? [formatShortList(prices, 'prices', MAX_FIELDS)] : [];
          const named = [document === undefined ? [] : `document ${document}`, price, newPrice].flat();
          const others = [...texts, ...changes];
          const endWith = (parts: readonly string[]) =>
            `${purpose}${parts.length === 0 ? '' : `, with ${joinList(parts)}`}.`;
          const warning = problems.length === 0 ? '' : NOT_READY;
          return {
            before: `${warning}Send ${name} to `,
            items: people,
            briefItems: people.map(omitRecipientField),
            noun: 'people',
            none: !item
              ? 'unknown recipients'
              : showsRecipients(item)
                ? 'nobody'
                : 'its recipients, whom the service does not show',
            after: endWith([named, texts, changes.length > 0 ? formatShortList(changes, 'fields') : []].flat()),
            // A long message must not displace people.
            ...(people.length <= MAX_PEOPLE_BESIDE_FIELDS && others.length > 0
              ? { someAfter: endWith([...named, formatShortList(others, 'fields', MAX_FIELDS)]) }
              : {}),
            briefAfter: endWith([...named, ...(others.length > 0 ? [formatCount(others.length, 'fields')] : [])]),
          };
        },
        notice: "They are notified immediately. This can't be undone.",
      }),
    async handler(context, args) {
      const item = await callOperation(context, operation, mergeFields(args));
      return {
        data: { sent: true, id: args.id, ...toFullItem(item, getResourceNoun(operation)) },
        ...getTrustedNoteFields(item),
      };
    },
  });
}
