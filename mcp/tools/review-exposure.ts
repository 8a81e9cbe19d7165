import { z } from 'zod';
import { GATES, METRIC_FIELDS, VERSION_FIELDS } from '../../src/assumptions/index.ts';
import { getField, getName, getTextField, includesName, type JsonObject } from '../../src/records/fields.ts';
import { EXPIRY_FIELDS, GATE_SWITCH_FIELDS } from '../assumptions.ts';
import { parsePeriod } from '../result/period.ts';
import { withIdAndName } from '../result/projection.ts';
import { clipText } from '../result/quote.ts';
import { integer, text } from '../tool/arguments.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { ToolError } from '../tool-error.ts';
import { readAllForReport, readDocumentIfPossible } from './object-lookup.ts';
import { getState } from './object-state.ts';
import { getRoomParts } from './room-parts.ts';
import { parsePermissionRules } from './room-permissions.ts';
import { MAX_STEPS } from './run-plan.ts';

const DEFAULT_DAYS = 90;
const MAX_DOCUMENTS = 20;
const isOn = (item: JsonObject, names: readonly string[]) => names.some((name) => Boolean(getField(item, name)));
const CLOSED_GATES = [...GATE_SWITCH_FIELDS, ...GATES.password.names, ...GATES.password.readNames, ...GATES.nda.names];

/** Finds links and rooms that show more than they need to, and prepares the changes of links as one plan. */
export const reviewExposure = defineTool({
  name: 'review_exposure',
  title: 'Review exposure',
  description:
    'Finds links that anyone can open, that never expire or that show an old version, and room groups that can see the whole room or download. Changes nothing: pass "plan", or part of it, to update_links.',
  operations: ['links.list', 'rooms.list', 'documents.get'],
  spans: 'groups',
  inputSchema: z.strictObject({
    days: integer('Days until the plan ends links without an expiry, 1 to 3650. Default: 90.').optional(),
    until: text('Or their last day (YYYY-MM-DD, UTC).').optional(),
  }),
  outputSchema: { type: 'object', properties: { items: { type: 'array' }, plan: { type: 'array' } } },
  async handler(context, { days, until }) {
    const endsAt = getEnd({ days, until });
    const notRead: string[] = [];
    const failures: unknown[] = [];
    const [links, rooms] = await Promise.all([
      readAllForReport(context, 'links', { notRead, failures }),
      readAllForReport(context, 'rooms', { notRead, failures }),
    ]);
    if (failures.length > 0 && links.length + rooms.length === 0) throw failures[0];
    const active = links.filter((link) => getState(link) !== 'expired').map((link) => withIdAndName(link, 'link'));
    const versions = await readVersions(context, active);
    // Services that omit empty fields show an expiry only on links that have one.
    const [knownExpiryField] = links.flatMap((link) => getExpiryField(link) ?? []);
    if (active.length > 0 && knownExpiryField === undefined) notRead.push('when links end (no link shows an expiry)');
    const findings = active.flatMap((link) => {
      const [fields, problems] = reviewLink(link, { endsAt, versions, knownExpiryField });
      const { id, name, url, document_id, room_id } = link;
      const views = getTextField(link, METRIC_FIELDS.views);
      const item = { link: clipText(String(name ?? url ?? '')), id, document_id, room_id, views, problems };
      return problems.length === 0 ? [] : [{ item, change: { id, ...fields } }];
    });
    // The most exposed come first, because a plan holds only so many.
    findings.sort((a, b) => b.item.problems.length - a.item.problems.length);
    const plan = findings.flatMap(({ change }) => (Object.keys(change).length > 1 ? [change] : []));
    return {
      data: {
        items: [...findings.map(({ item }) => item), ...rooms.flatMap(reviewRoom)],
        plan: plan.slice(0, MAX_STEPS),
        ...(plan.length > MAX_STEPS ? { remaining: plan.length - MAX_STEPS } : {}),
        reviewed: { links: active.length, rooms: rooms.length },
        ...(notRead.length > 0 ? { not_read: notRead } : {}),
      },
      trustedFields: ['not_read', 'items.problems'],
    };
  },
});

/** @throws ToolError for a time that is not in the future */
function getEnd({ days, until }: { days: number | undefined; until: string | undefined }): string {
  if (days !== undefined && until !== undefined)
    throw new ToolError('invalid_arguments', 'Use only one of days and until.');
  const { to } = parsePeriod({ until });
  if (to !== undefined && to <= Date.now()) throw new ToolError('invalid_arguments', 'until: must be in the future.');
  const after = days ?? DEFAULT_DAYS;
  if (after < 1 || after > 3650) throw new ToolError('invalid_arguments', 'days: must be from 1 to 3650.');
  return `${new Date(to ?? Date.now() + after * 86_400_000).toISOString().slice(0, 19)}Z`;
}

const getExpiryField = (link: JsonObject) => Object.keys(link).find((name) => includesName(EXPIRY_FIELDS, name));

/** Problems of a link, and the fields that solve them. */
function reviewLink(
  link: JsonObject,
  {
    endsAt,
    versions,
    knownExpiryField,
  }: { endsAt: string; versions: ReadonlyMap<unknown, string>; knownExpiryField: string | undefined },
): [fields: JsonObject, problems: readonly string[]] {
  const isOpen = GATE_SWITCH_FIELDS.some((name) => getField(link, name) === false) && !isOn(link, CLOSED_GATES);
  const expiryField = getExpiryField(link) ?? knownExpiryField;
  const isEndless = expiryField !== undefined && !link[expiryField];
  const version = getTextField(link, VERSION_FIELDS);
  const isOld = version !== undefined && (versions.get(getTextField(link, ['document_id'])) ?? version) !== version;
  return [
    { ...(isOpen ? { email_required: true } : {}), ...(isEndless ? { [expiryField]: endsAt } : {}) },
    [
      ...(isOpen ? ['anybody with the link can open it'] : []),
      ...(isEndless ? ['never ends'] : []),
      ...(isOld ? ['shows an old version'] : []),
    ],
  ];
}

/** Current versions of the documents whose links name a version. */
async function readVersions(context: ToolContext, links: readonly JsonObject[]): Promise<ReadonlyMap<unknown, string>> {
  const ids = new Set(
    links.filter((link) => getTextField(link, VERSION_FIELDS)).map((link) => String(getField(link, 'document_id'))),
  );
  const entries = [...ids].slice(0, MAX_DOCUMENTS).map(async (id) => {
    const version = getTextField(await readDocumentIfPossible(context, id), VERSION_FIELDS);
    return version === undefined ? [] : [[id, version] as const];
  });
  return new Map((await Promise.all(entries)).flat());
}

/** Groups of a room that may see all of it, or download. */
function reviewRoom(room: JsonObject): readonly JsonObject[] {
  const { id, name } = withIdAndName(room, 'room');
  const groups = getRoomParts(room, 'groups');
  return parsePermissionRules(getRoomParts(room, 'permissions')).flatMap((rule) => {
    const access = String(rule.access ?? 'none');
    if (access === 'none') return [];
    const places = [rule.folder, rule.file, rule.other];
    const isWhole = places.every((place) => place === undefined || String(place) === id);
    const problems = [...(isWhole ? ['sees the whole room'] : []), ...(access === 'download' ? ['may download'] : [])];
    const group = groups.find((one) => String(withIdAndName(one, 'group')['id']) === String(rule.group));
    return problems.length === 0 ? [] : [{ room: name, id, group: getName(group) ?? rule.group, problems }];
  });
}
