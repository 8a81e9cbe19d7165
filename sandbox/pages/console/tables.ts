import { html } from 'hono/html';
import type { RouteDependencies } from '../../server/exchange.ts';
import { calculateAnalytics } from '../../state/calculate-analytics.ts';
import type { AgreementRecord, LinkRecord, VisitRecord } from '../../state/records.ts';
import type { Service } from '../../state/service.ts';
import { getLatestVersion } from '../../state/state.ts';
import { getVisitSeconds, getVisits, withOpenPageTime } from '../../state/visits.ts';
import { formatCount, formatDuration, type Markup, renderTime } from '../layout/page-layout.ts';

type Cell = Markup | string | number;

interface Table {
  readonly title: string;
  /** How to get the first record. */
  readonly hint: string;
  readonly head: readonly string[];
  records(service: Service): readonly Row[];
}

/** Rows are rendered only if shown. */
type Row = () => readonly Cell[];

const toRows = <T>(records: ReadonlyMap<string, T>, cells: (record: T) => readonly Cell[]): Row[] =>
  [...records.values()].map((record) => () => cells(record));

/** Adds the last two columns of most tables. */
const withCreated = ({ id, created_at }: { id: string; created_at: number }, cells: readonly Cell[]): Cell[] => [
  ...cells,
  renderTime(created_at),
  renderMuted(id),
];

const renderMuted = (text: string) => html`<code class="muted">${text}</code>`;
const renderButton = (href: string, id: string, label: string) =>
  html`<a class="button" id="${id}" href="${href}" target="_blank" rel="noopener">${label}</a>`;

export const TABLES: readonly Table[] = [
  {
    title: 'Links',
    hint: 'Create one with POST /links.',
    head: ['Document', 'Open', 'Gates', 'Views', 'Read', 'Id'],
    records: (service) => toRows(service.state.links, (link) => toLinkCells(service, link)),
  },
  {
    title: 'Visits',
    hint: 'Open a link as a visitor.',
    head: ['Visitor', 'Document', 'Pages', 'Read', 'Started', 'Id'],
    records: (service) => toRows(service.state.visits, (visit) => toVisitCells(service, visit)),
  },
  {
    title: 'Documents',
    hint: 'Upload one with POST /documents.',
    head: ['Name', 'Pages', 'Size', 'Versions', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.documents, (document) => {
        const { pages, size } = getLatestVersion(document);
        return withCreated(document, [document.name, pages.length, formatBytes(size), document.versions.length]);
      }),
  },
  {
    title: 'Agreements',
    hint: 'Create one with POST /agreements.',
    head: ['Name', 'Status', 'Sign', 'Created', 'Id'],
    records: ({ state }) => toRows(state.agreements, toAgreementCells),
  },
  {
    title: 'Proposals',
    hint: 'Create one with POST /proposals.',
    head: ['Name', 'Status', 'Open', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.proposals, (proposal) => {
        const { id, name, status } = proposal;
        const button = renderButton(`/p/${encodeURIComponent(id)}`, `open-${id}`, 'Open as recipient');
        return withCreated(proposal, [
          name,
          renderBadge(status, status === 'accepted'),
          status === 'draft' ? '' : button,
        ]);
      }),
  },
  {
    title: 'Rooms',
    hint: 'Create one with POST /rooms.',
    head: ['Name', 'Folders', 'Files', 'Groups', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.rooms, (room) =>
        withCreated(room, [room.name, room.folders.length, room.files.length, room.groups.length]),
      ),
  },
  {
    title: 'Templates',
    hint: 'Create one with POST /templates.',
    head: ['Name', 'Roles', 'Fields', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.templates, (template) =>
        withCreated(template, [template.name, template.roles.join(', '), template.fields.length]),
      ),
  },
  {
    title: 'Contacts',
    hint: 'Create one with POST /contacts.',
    head: ['Name', 'Email', 'Company', 'Tags', 'Id'],
    records: ({ state }) =>
      toRows(state.contacts, ({ id, name, email, company, tags }) => [
        name ?? '',
        email,
        company ?? '',
        html`${tags.map((tag) => html`<span class="badge">${tag}</span> `)}`,
        renderMuted(id),
      ]),
  },
  {
    title: 'Webhooks',
    hint: 'Register one with POST /webhooks.',
    head: ['URL', 'Events', 'Status', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.webhooks, (webhook) => {
        const { url, events, status } = webhook;
        return withCreated(webhook, [url, events.join(', '), renderBadge(status, status === 'active')]);
      }),
  },
  {
    title: 'Uploads',
    hint: 'Start one with POST /documents/uploads.',
    head: ['File', 'Status', 'Size', 'Valid until', 'Storage key'],
    records: ({ state }) =>
      toRows(state.uploads, ({ file_name, status, size, expires_at, storage_key }) => [
        file_name ?? '',
        renderBadge(status, status === 'finalized'),
        formatBytes(size),
        renderTime(expires_at),
        renderMuted(storage_key),
      ]),
  },
];

function toLinkCells(service: Service, link: LinkRecord): Cell[] {
  const now = service.clock.now();
  const { documents, rooms } = service.state;
  const { views, total_seconds } = calculateAnalytics(getVisits(service.state, link.id), now);
  const target = documents.get(link.document_id ?? '')?.name ?? rooms.get(link.room_id ?? '')?.name ?? 'deleted';
  const gates = [
    link.email_required && 'email',
    link.password !== null && `password ${link.password}`,
    link.nda_required && 'NDA',
    link.expires_at !== null && (link.expires_at <= now ? 'expired' : 'expires'),
    link.max_visitors !== null && `${link.max_visitors} visitors`,
  ].filter((gate) => gate !== false);
  return [
    html`${target}${link.name ? html`<br><span class="muted">${link.name}</span>` : ''}`,
    renderButton(`/l/${encodeURIComponent(link.id)}`, `open-${link.id}`, 'Open as visitor'),
    gates.length === 0 ? html`<span class="muted">open</span>` : gates.join(', '),
    views,
    formatDuration(total_seconds),
    renderMuted(link.id),
  ];
}

function toVisitCells(service: Service, visit: VisitRecord): Cell[] {
  const counted = withOpenPageTime(visit, service.clock.now());
  return [
    visit.email ?? html`<span class="muted">anonymous</span>`,
    service.state.documents.get(visit.document_id ?? '')?.name ?? '',
    `${counted.dwell.size} of ${visit.page_count}`,
    html`${formatDuration(getVisitSeconds(counted))}${visit.open ? html` <span class="badge good">reading</span>` : ''}`,
    renderTime(visit.started_at),
    renderMuted(visit.id),
  ];
}

function toAgreementCells(agreement: AgreementRecord): Cell[] {
  const { id, name, status, recipients } = agreement;
  const signers = recipients.map((person) => {
    if (status === 'draft') return html`<span class="muted">${person.email}</span> `;
    const path = `/s/${encodeURIComponent(id)}/${encodeURIComponent(person.id)}`;
    const label = person.signed_at === null ? `Sign as ${person.name}` : `Signed by ${person.name}`;
    return renderButton(path, `open-${person.id}`, label);
  });
  return withCreated(agreement, [name, renderBadge(status, status === 'signed'), html`${signers}`]);
}

function renderBadge(text: string, good: boolean): Markup {
  return html`<span class="badge ${good ? 'good' : ''}">${text}</span>`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** Rows per table, newest first. */
const MAX_ROWS = 30;

export function renderStoredTables({ service }: RouteDependencies): Markup {
  return html`${TABLES.map((table) => {
    const records = table.records(service);
    const newest = records.slice(-MAX_ROWS).reverse();
    return html`<details id="table-${table.title.toLowerCase()}"><summary><span>${table.title}</span><span class="badge">${records.length}</span></summary>
${
  newest.length === 0
    ? html`<p class="muted">No ${table.title.toLowerCase()} yet. ${table.hint}</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="${table.title}"><table><caption class="hidden">${table.title}</caption>
<thead><tr>${table.head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${newest.map((cells) => html`<tr>${cells().map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>
${records.length > MAX_ROWS ? html`<p class="muted small">${formatCount(records.length - MAX_ROWS, 'older record')} not shown</p>` : ''}</div>`
}</details>`;
  })}`;
}
