import { z } from 'zod';
import { getField, getName, type JsonObject } from '../../src/records/fields.ts';
import { GATE_SWITCH_FIELDS } from '../assumptions.ts';
import { findIgnoredFields } from '../call/warn-ignored-fields.ts';
import { getFailureCode } from '../result/describe-failure.ts';
import { withIdAndName } from '../result/projection.ts';
import { mergeFields, object, parsePeople, people, text } from '../tool/arguments.ts';
import { toRequestBody } from '../tool/canonical-call.ts';
import { formatCount, formatShortList } from '../tool/headline.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { callOperation, checkOperation } from './define-tools.ts';
import { describeDocument, formatEmail } from './describe-object.ts';
import { formatChanges, getFieldChanges, getRemovedGate } from './field-changes.ts';
import { getNewLinkEffects, parseLinkTarget, toCreatedLink } from './links.ts';
import { findMatchingItems, getReference, readDocumentIfPossible, readTargetIds } from './object-lookup.ts';
import { getState } from './object-state.ts';
import { findRiskyFields } from './risky-fields.ts';
import { MAX_STEPS, runPlan, withPlanReads } from './run-plan.ts';

/** Reads the people, each once. @throws ToolError */
function readPeople(values: readonly unknown[]) {
  const byEmail = new Map(parsePeople(values, 'recipients').map((person) => [person.email.toLowerCase(), person]));
  if (byEmail.size === 0 || byEmail.size > MAX_STEPS)
    throw new ToolError('invalid_arguments', `recipients: must have 1 to ${MAX_STEPS} people. Split longer lists.`);
  return [...byEmail].map(([key, { email, name }]) => ({
    key,
    email,
    linkName: typeof name === 'string' ? `${name} <${email}>` : email,
  }));
}

/** Personal links of a document that work and have the email gate, by the address at the end of their name. */
async function findExisting(context: ToolContext, documentId: string) {
  const matches = (link: JsonObject) =>
    getReference(link, 'document_id') === documentId &&
    getState(link) !== 'expired' &&
    !GATE_SWITCH_FIELDS.some((name) => getField(link, name) === false);
  const { items, read, isComplete, failure } = await findMatchingItems(context, { group: 'links', matches });
  // Without any of the links, a repeated call would create them twice. A key or sign-in without the right to read may create,
  // and an approved plan continues when the rate limit allows it.
  const code = getFailureCode(failure);
  const isPaused = context.plan !== undefined && code === 'rate_limited';
  const isFailed = failure !== undefined && read === 0 && !['permission_denied', 'not_allowed'].includes(code);
  if (isFailed && !isPaused) throw failure;
  const entries = items.flatMap((link) => {
    const [, email] = /(?:^|<)([^\s<>]+@[^\s<>]+?)>?$/.exec(getName(link, 'link') ?? '') ?? [];
    return email === undefined ? [] : [[email.toLowerCase(), link] as const];
  });
  return { byEmail: new Map(entries), isComplete };
}

export const createPersonalLinks = defineTool({
  name: 'create_personal_links',
  title: 'Create personal links',
  description:
    'Creates one email-gated link per person, named after them, with one approval for all. Existing ones are kept. If "left" is returned, call again. Later, get lists who has not opened theirs.',
  operations: ['links.create', 'links.list'],
  idSource: 'list_documents',
  annotations: { openWorldHint: true, idempotentHint: true },
  inputSchema: z.strictObject({
    document_id: text('Document ID.'),
    recipients: people(`At most ${MAX_STEPS} people, as ann@example.com or Ann Lee <ann@example.com>.`),
    fields: object('Settings of all links, as in create_link.').optional(),
  }),
  outputSchema: { type: 'object', properties: { items: { type: 'array' } } },
  check({ document_id, recipients, fields }, context) {
    readPeople(recipients);
    const input = { name: 'new', email_required: true, document_id, fields };
    parseLinkTarget(input);
    checkOperation(context, 'links.create', mergeFields(input));
    const changes = getFieldChanges(Object.keys(fields ?? {}), fields ?? {});
    if (changes.some((change) => getRemovedGate(change) === 'email gate'))
      throw new ToolError('invalid_arguments', 'fields: personal links always ask for an email address.');
  },
  async confirmation({ document_id, recipients, fields = {} }, context) {
    const persons = readPeople(recipients);
    const settings = formatChanges(getFieldChanges(Object.keys(fields), fields));
    const ids = await readTargetIds(context, document_id);
    // Other settings may send something.
    const isSilent = findRiskyFields(fields, 'new link').length === 0;
    return {
      // A declined plan must not be carried out link by link.
      effects: [{}, fields].flatMap((one) => getNewLinkEffects(ids, { ...one, email_required: true }).effects),
      isPlan: true,
      async describe(context) {
        const { name, about } = await describeDocument(context, document_id);
        const shownSettings = formatShortList(settings, 'settings');
        return {
          headline: {
            before: `Create ${formatCount(persons.length, 'personal links')} to ${name} (email required) for `,
            items: persons.map(({ email }) => formatEmail(email)),
            noun: 'people',
            after: settings.length === 0 ? '.' : `, with ${shownSettings}.`,
          },
          request: { document_id, recipients: persons.map(({ linkName }) => linkName), fields },
          notice: `Each person gets a separate link, or keeps the existing one as it is.${isSilent ? ' Nobody is notified: you send the links yourself.' : ''}`,
          about,
          basis: Object.fromEntries(persons.map(({ key }) => [key, about ?? {}])),
        };
      },
    };
  },
  async handler(context, { document_id, recipients, fields }) {
    const persons = readPeople(recipients);
    const reading = withPlanReads(context);
    const { byEmail, isComplete } = await findExisting(reading, document_id);
    const affected = (await readDocumentIfPossible(reading, document_id)) ?? {};
    const earlierSteps = await context.plan?.getOutcomes();
    const existing = persons.flatMap(({ key, email }) => {
      const link = byEmail.get(key);
      return link ? [{ email, id: withIdAndName(link, 'link')['id'], url: link['url'] }] : [];
    });
    // As the service confirms them.
    const settings: JsonObject = {};
    const sentFields = toRequestBody(fields ?? {});
    const ignoredFields = new Set<string>();
    const missing = persons.filter(({ key }) => !byEmail.has(key));
    const { items, data, trustedFields } = await runPlan(
      context,
      missing.map(({ key, email, linkName }) => ({
        key,
        about: { email },
        affected,
        async run() {
          const input = { ...mergeFields({ name: linkName, email_required: true, fields }), document_id };
          const link = toCreatedLink(await callOperation(context, 'links.create', input));
          for (const field of Object.keys(sentFields)) if (Object.hasOwn(link, field)) settings[field] = link[field];
          for (const field of findIgnoredFields(sentFields, link)) ignoredFields.add(field);
          const { id, url, name } = link;
          return { id, url, ...(name === linkName ? {} : { name: name ?? 'not stored by the service' }) };
        },
      })),
    );
    // Not created by an earlier call of this plan.
    const isOlder = persons.some(({ key }) => byEmail.has(key) && !earlierSteps?.has(key));
    const notes = [
      ...(isComplete ? [] : ['Not all links could be read, so earlier personal links may be missing from existing.']),
      ...(isOlder && fields ? ['Older links keep their own settings: fields were not applied to them.'] : []),
    ];
    return {
      data: {
        ...data,
        document_id,
        items,
        ...(Object.keys(settings).length > 0 ? { settings } : {}),
        ...(existing.length > 0 ? { existing } : {}),
        ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
      },
      unredactedFields: ['items.url', 'existing.url'],
      trustedFields: [...trustedFields, 'note'],
      ignoredFields: [...ignoredFields],
    };
  },
});
