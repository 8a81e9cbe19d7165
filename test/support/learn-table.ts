/** Compares the switches of a sandbox with what is learned of it. */
import { type LearnOptions, learn } from '../../learn/index.ts';
import {
  createSandbox,
  type Fixtures,
  findClosestProfile,
  resolveProfile,
  type Sandbox,
  type SandboxProfile,
  type SandboxProfileInput,
  SWITCH_NAMES,
  SWITCHES,
  type SwitchName,
} from '../../sandbox/index.ts';
import { hasMovableFields, usesHeaders } from '../../sandbox/profile/paging-preset.ts';
import { PAGING_PRESETS } from '../../sandbox/profile/paging-presets.ts';
import { parseProfile, SCOPES, type ServiceProfile } from '../../src/index.ts';
import { withoutWaiting } from './without-socket.ts';

export interface Row {
  readonly choice: string;
  readonly profile: SandboxProfile;
  /** Switches that the mode can observe, and those of them that were learned wrong. */
  readonly visible: readonly SwitchName[];
  readonly missed: readonly string[];
  readonly calls: number;
  /** Objects in the service that did not exist before. */
  readonly left: Readonly<Record<string, number>>;
  readonly ended: string | undefined;
}

/** Switches that only the response to a write, a delivery or the rate limit reveals. */
const WRITTEN: readonly SwitchName[] = [
  'createStatus',
  'createResponse',
  'updateResponse',
  'deleteResponse',
  'conflict',
  'uploadBody',
  'encryption',
  'uploadStatus',
  'webhookBody',
  'webhookSecretField',
  'undocumentedDeletes',
];
const NEVER: readonly SwitchName[] = [
  'eventShape',
  'signature',
  'retries',
  'writeResponse',
  'rateLimiter',
  'rateLimitCounts',
];

/** Returns the switches of a profile that are visible in responses at all, and in those of the mode. */
export function visibleIn(profile: SandboxProfile, mode: 'read' | 'write'): readonly SwitchName[] {
  const style = profile.paging === 'cursor' || profile.paging === 'none' ? undefined : PAGING_PRESETS[profile.paging];
  const isBare = profile.envelope === 'bare';
  const hidden = new Set<SwitchName>([...NEVER, ...(mode === 'read' ? WRITTEN : [])]);
  // A bare array has no room for pagination fields: all styles continue by a Link header.
  const isAlike = !(style && usesHeaders(style)) || profile.paging === 'link-header';
  if (isBare && profile.paging !== 'none' && isAlike) hidden.add('paging');
  if (isBare || profile.paging === 'none' || (style && !hasMovableFields(style))) hidden.add('pagingLocation');
  if (isBare || profile.paging !== 'cursor') hidden.add('cursorName');
  if (profile.paging === 'none') hidden.add('pageSize').add('maxPageSize');
  // Reads can send invalid input only as pagination parameters.
  if (profile.paging === 'none' && mode === 'read') hidden.add('badBody');
  // Visible only in an error.
  if (['seconds', 'date', 'none'].includes(profile.rateLimitHeaders)) hidden.add('rateLimitHeaders');
  if (profile.download === 'bytes' && mode === 'read') hidden.add('storageOrigin').add('urlTtlSeconds');
  // Its documents can't be deleted, so the learner creates none.
  if (profile.undocumentedDeletes === 'documented') hidden.add('conflict');
  return SWITCH_NAMES.filter((name) => !hidden.has(name));
}

/** Fills every list with enough entries for pages of 100. */
const MANY: Fixtures = {
  documents: [
    { id: 'doc_deck', name: 'Deck', pages: 4 },
    { id: 'doc_nda', name: 'NDA', pages: 1 },
  ],
  links: [{ document_id: 'doc_deck', name: 'For the fund', visits: [{ email: 'ada@example.com', pages: [12, 40] }] }],
  rooms: [{ name: 'Deal room', groups: [{ name: 'Investors', emails: ['ada@example.com'] }] }],
  agreements: [{ document_id: 'doc_nda', recipients: ['ada@example.com'] }],
  templates: [{ name: 'Order form' }, { name: 'NDA' }],
  proposals: [{ name: 'Offer', email: 'ada@example.com' }],
  contacts: Array.from({ length: 130 }, (_, n) => ({ email: `person${n}@example.com`, name: `Person ${n}` })),
};

/** A sandbox whose clock advances with each call, so no call waits for the limit, and whose key lacks one scope. */
export async function learnTable(
  choice: SandboxProfileInput & string,
  { mode, ...options }: { mode: 'read' | 'write' } & LearnOptions,
): Promise<Row> {
  const sandbox = await createSandbox({
    seed: 1,
    at: '2026-06-01T09:00Z',
    clock: 'manual',
    profile: choice,
    fixtures: MANY,
  });
  try {
    const apiKey = sandbox.key(SCOPES.filter((scope) => scope !== 'proposals:read'));
    const before = countAll(sandbox);
    const learned = await learn({
      apiKey,
      baseUrl: sandbox.url,
      budget: 150,
      transport: withoutWaiting(sandbox, 600),
      ...(mode === 'write' ? { write: { apiKey } } : {}),
      ...options,
    });
    const profile = resolveProfile(choice);
    parseProfile(JSON.parse(JSON.stringify(learned.profile)), sandbox.url);
    const effects = sandbox.log.entries().filter(({ effect }) => effect === true);
    if (mode === 'read' && effects.length > 0) throw new Error(`Reading changed something: ${effects[0]?.path}`);
    const near = { ...findClosestProfile(learned.profile), ...readFacts(learned.profile) };
    const visible = visibleIn(profile, mode);
    const missed = visible
      // Error formats are compared in `test/learn/learned-other.test.ts`.
      .filter((name) => name !== 'errors' && near[name] !== profile[name])
      .map((name) => `${name}=${profile[name]} was learned as ${near[name]}`);
    const after = countAll(sandbox);
    const left = Object.fromEntries(Object.entries(after).filter(([name, count]) => count !== before[name]));
    return { choice, profile, visible, missed, calls: sandbox.log.entries().length, left, ended: learned.stopReason };
  } finally {
    await sandbox.close();
  }
}

/** Settings that the sandbox takes from the facts themselves. */
function readFacts({ facts, operations }: ServiceProfile): Partial<Record<SwitchName, string | undefined>> {
  const { download, upload, uploadStart, webhook, webhookSecret } = facts;
  const ttlSeconds = upload?.ttlSeconds ?? (download?.ttlSeconds ?? 0) * 3;
  const isNear = (setting: string) => Math.abs(Number(setting) - ttlSeconds) <= Number(setting) * 0.1;
  const names = operations['documents.startUpload']?.requestBody?.required ?? Object.keys(uploadStart ?? {});
  const isSame = (setting: string) => setting.split('+').sort().join() === [...names].sort().join();
  const path = download?.at ?? [];
  return {
    download:
      download?.by === 'url'
        ? path.length > 1
          ? 'nested'
          : path[0]
        : download?.by === 'redirect'
          ? `redirect-${download.status}`
          : download?.by,
    uploadBody: names.length === 0 ? 'none' : SWITCHES.uploadBody.settings.find(isSame),
    uploadStatus: upload?.stored?.toString(),
    urlTtlSeconds: SWITCHES.urlTtlSeconds.settings.find(isNear),
    webhookBody: webhook && Object.keys(webhook).join('+'),
    webhookSecretField:
      webhookSecret === null
        ? 'none'
        : webhookSecret
            ?.at(-1)
            ?.replace(/(?<=g)S/, '_S')
            .toLowerCase(),
  };
}

/** Returns all visible state of the service. Upload sessions expire by themselves and appear in no list. */
export function countAll(sandbox: Sandbox): Record<string, number> {
  const { documents, links, rooms, agreements, proposals, templates, contacts, visits, webhooks } =
    sandbox.snapshot().state;
  const all = { documents, links, rooms, agreements, proposals, templates, contacts, visits, webhooks };
  return Object.fromEntries(Object.entries(all).map(([name, records]) => [name, records.size]));
}
