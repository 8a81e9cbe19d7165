import { html } from 'hono/html';
import type { Service } from '../../service.ts';
import { latest } from '../../state/documents.ts';
import { measure } from '../../state/measures.ts';
import type { AgreementRecord, LinkRecord, VisitRecord } from '../../state/records.ts';
import { getVisits } from '../../state/visits.ts';
import { formatDuration, type Markup, timeTag } from '../document-page.ts';

type Cell = Markup | string | number;

interface Table {
  readonly id: string;
  readonly title: string;
  readonly empty: string;
  readonly head: readonly string[];
  records(service: Service): readonly Row[];
}

/** A row is worked out only when it is shown. */
type Row = () => readonly Cell[];

const toRows = <T>(records: ReadonlyMap<string, T>, cells: (record: T) => readonly Cell[]): Row[] =>
  [...records.values()].map((record) => () => cells(record));

const dim = (text: string) => html`<code class="muted">${text}</code>`;
const open = (href: string, id: string, label: string) =>
  html`<a class="button" id="${id}" href="${href}" target="_blank" rel="noopener">${label}</a>`;

export const TABLES: readonly Table[] = [
  {
    id: 'links',
    title: 'Links',
    empty: 'No links yet: POST /links makes one.',
    head: ['Document', 'Open', 'Gates', 'Views', 'Read', 'Id'],
    records: (service) => toRows(service.state.links, (link) => linkCells(service, link)),
  },
  {
    id: 'visits',
    title: 'Visits',
    empty: 'No one has come yet: open a link as a visitor.',
    head: ['Visitor', 'Document', 'Pages', 'Read', 'Started', 'Id'],
    records: (service) => toRows(service.state.visits, (visit) => visitCells(service, visit)),
  },
  {
    id: 'documents',
    title: 'Documents',
    empty: 'No documents yet: POST /documents stores one.',
    head: ['Name', 'Pages', 'Size', 'Versions', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.documents, (document) => {
        const { pages, size } = latest(document);
        const versions = document.versions.length;
        return [
          document.name,
          pages.length,
          formatBytes(size),
          versions,
          timeTag(document.created_at),
          dim(document.id),
        ];
      }),
  },
  {
    id: 'agreements',
    title: 'Agreements',
    empty: 'No agreements yet: POST /agreements makes one.',
    head: ['Name', 'Status', 'Sign', 'Created', 'Id'],
    records: ({ state }) => toRows(state.agreements, agreementCells),
  },
  {
    id: 'proposals',
    title: 'Proposals',
    empty: 'No proposals yet: POST /proposals makes one.',
    head: ['Name', 'Status', 'Open', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.proposals, ({ id, name, status, created_at }) => [
        name,
        badge(status, status === 'accepted'),
        status === 'draft' ? '' : open(`/p/${encodeURIComponent(id)}`, `open-${id}`, 'Open as recipient'),
        timeTag(created_at),
        dim(id),
      ]),
  },
  {
    id: 'rooms',
    title: 'Rooms',
    empty: 'No rooms yet: POST /rooms makes one.',
    head: ['Name', 'Folders', 'Files', 'Groups', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.rooms, ({ id, name, folders, files, groups, created_at }) => [
        name,
        folders.length,
        files.length,
        groups.length,
        timeTag(created_at),
        dim(id),
      ]),
  },
  {
    id: 'templates',
    title: 'Templates',
    empty: 'No templates yet: POST /templates makes one.',
    head: ['Name', 'Roles', 'Fields', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.templates, ({ id, name, roles, fields, created_at }) => [
        name,
        roles.join(', '),
        fields.length,
        timeTag(created_at),
        dim(id),
      ]),
  },
  {
    id: 'contacts',
    title: 'Contacts',
    empty: 'No contacts yet: POST /contacts makes one.',
    head: ['Name', 'E-mail', 'Company', 'Tags', 'Id'],
    records: ({ state }) =>
      toRows(state.contacts, ({ id, name, email, company, tags }) => [
        name ?? '',
        email,
        company ?? '',
        html`${tags.map((tag) => html`<span class="badge">${tag}</span> `)}`,
        dim(id),
      ]),
  },
  {
    id: 'webhooks',
    title: 'Webhooks',
    empty: 'No endpoint is registered: POST /webhooks registers one.',
    head: ['Address', 'Events', 'Status', 'Created', 'Id'],
    records: ({ state }) =>
      toRows(state.webhooks, ({ id, url, events, status, created_at }) => [
        url,
        events.join(', '),
        badge(status, status === 'active'),
        timeTag(created_at),
        dim(id),
      ]),
  },
  {
    id: 'uploads',
    title: 'Uploads',
    empty: 'No direct upload was started: POST /documents/uploads starts one.',
    head: ['File', 'Status', 'Size', 'Valid until', 'Storage key'],
    records: ({ state }) =>
      toRows(state.uploads, ({ file_name, status, size, expires_at, storage_key }) => [
        file_name ?? '',
        badge(status, status === 'finalized'),
        formatBytes(size),
        timeTag(expires_at),
        dim(storage_key),
      ]),
  },
];

function linkCells(service: Service, link: LinkRecord): Cell[] {
  const now = service.clock.now();
  const { documents, rooms } = service.state;
  const { views, total_seconds } = measure(getVisits(service.state, link.id), now);
  const target = documents.get(link.document_id ?? '')?.name ?? rooms.get(link.room_id ?? '')?.name ?? 'gone';
  const gates = [
    link.email_required && 'e-mail',
    link.password !== null && 'password',
    link.nda_required && 'NDA',
    link.expires_at !== null && (link.expires_at <= now ? 'expired' : 'expires'),
    link.max_visitors !== null && `${link.max_visitors} visitors`,
  ].filter((gate) => gate !== false);
  return [
    html`${target}${link.name ? html`<br><span class="muted">${link.name}</span>` : ''}`,
    open(`/l/${encodeURIComponent(link.id)}`, `open-${link.id}`, 'Open as visitor'),
    gates.length === 0 ? html`<span class="muted">open</span>` : gates.join(', '),
    views,
    formatDuration(total_seconds),
    dim(link.id),
  ];
}

function visitCells(service: Service, visit: VisitRecord): Cell[] {
  const { total_seconds, pages } = measure([visit], service.clock.now());
  const read = pages.filter(({ views }) => views > 0).length || visit.dwell.size;
  return [
    visit.email ?? html`<span class="muted">unknown</span>`,
    service.state.documents.get(visit.document_id ?? '')?.name ?? '',
    `${read} of ${visit.page_count}`,
    html`${formatDuration(total_seconds)}${visit.open ? html` <span class="badge good">reading</span>` : ''}`,
    timeTag(visit.started_at),
    dim(visit.id),
  ];
}

function agreementCells(agreement: AgreementRecord): Cell[] {
  const { id, name, status, recipients } = agreement;
  const signers = recipients.map((person) => {
    if (status === 'draft') return html`<span class="muted">${person.email}</span> `;
    const path = `/s/${encodeURIComponent(id)}/${encodeURIComponent(person.id)}`;
    return open(
      path,
      `open-${person.id}`,
      person.signed_at === null ? `Sign as ${person.name}` : `Signed by ${person.name}`,
    );
  });
  return [name, badge(status, status === 'signed'), html`${signers}`, timeTag(agreement.created_at), dim(id)];
}

function badge(text: string, good: boolean): Markup {
  return html`<span class="badge ${good ? 'good' : ''}">${text}</span>`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  if (bytes < 1_048_576) return `${(bytes / 1_024).toFixed(1)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
