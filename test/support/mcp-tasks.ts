import type { Json } from './mcp-host.ts';

/** A call of a task. `$name.path` in the arguments is a value of the result that was saved under that name. */
export interface Step {
  readonly tool: string;
  readonly args?: Json;
  readonly save?: string;
  /** The person approves the preview. */
  readonly agreed?: true;
}

export interface Task {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly calls: number;
  readonly tokens: number;
}

const content = Buffer.from('%PDF-1.4 evaluation').toString('base64');
const upload: Step = { tool: 'upload_document', args: { content, name: 'Deck.pdf' }, save: 'doc' };
const link: Step = { tool: 'create_link', args: { document_id: '$doc.id', email_required: true }, save: 'link' };
const links: Step = { tool: 'list_links', args: { limit: 5 }, save: 'links' };
const room: Step = { tool: 'create_room', args: { fields: { name: 'Project Sand' } }, save: 'room' };
const agreement: Step = {
  tool: 'create_agreement',
  args: { fields: { name: 'NDA', document_id: '$doc.id', recipients: [{ name: 'Sam', email: 'sam@example.com' }] } },
  save: 'agreement',
};
const proposal: Step = {
  tool: 'create_proposal',
  args: { fields: { name: 'Offer', title: 'Offer', recipients: [{ name: 'Sam', email: 'sam@example.com' }] } },
  save: 'proposal',
};
const template: Step = { tool: 'create_template', args: { fields: { name: 'NDA' } }, save: 'template' };

const task = (title: string, limits: readonly [calls: number, tokens: number], ...steps: Step[]): Task => ({
  title,
  calls: limits[0],
  tokens: limits[1],
  steps,
});

export const tasks: readonly Task[] = [
  task('share a new deck behind an e-mail gate', [2, 800], upload, link),
  task(
    'share an existing document in one call',
    [2, 2500],
    { tool: 'list_documents', args: { limit: 5 }, save: 'docs' },
    { tool: 'share_document', args: { document_id: '$docs.items.0.id' } },
  ),
  task('replace a document by a new version', [2, 800], upload, {
    tool: 'upload_document',
    args: { content, document_id: '$doc.id' },
  }),
  task('open a link to everybody, after a yes', [3, 1200], upload, {
    tool: 'create_link',
    args: { document_id: '$doc.id' },
    agreed: true,
  }),
  task('see what an open link would mean, and leave it', [2, 800], upload, {
    tool: 'create_link',
    args: { document_id: '$doc.id' },
  }),
  task('withdraw a link, after a yes', [4, 1600], upload, link, {
    tool: 'delete_link',
    args: { id: '$link.id' },
    agreed: true,
  }),
  task('gate a link that exists', [2, 2000], links, {
    tool: 'update_link',
    args: { id: '$links.items.0.id', fields: { email_required: true } },
  }),
  task('take a gate away, after a yes', [4, 1600], upload, link, {
    tool: 'update_link',
    args: { id: '$link.id', fields: { email_required: false } },
    agreed: true,
  }),
  task(
    'prepare a room, with a yes to the file in it',
    [6, 2000],
    upload,
    room,
    { tool: 'add_room_folder', args: { id: '$room.id', fields: { name: 'Legal' } } },
    { tool: 'add_room_file', args: { id: '$room.id', fields: { document_id: '$doc.id' } }, agreed: true },
    { tool: 'add_room_group', args: { id: '$room.id', fields: { name: 'Buyers' } } },
  ),
  task(
    'let a group into a room, after a yes',
    [4, 2000],
    room,
    { tool: 'add_room_group', args: { id: '$room.id', fields: { name: 'Buyers' } }, save: 'group' },
    {
      tool: 'set_room_permissions',
      args: { id: '$room.id', fields: { permissions: [{ group_id: '$group.id', access: 'view' }] } },
      agreed: true,
    },
  ),
  task('send an agreement, after a yes', [4, 2000], upload, agreement, {
    tool: 'send_agreement',
    args: { id: '$agreement.id' },
    agreed: true,
  }),
  task('prepare an agreement and send nothing', [3, 1600], upload, agreement, {
    tool: 'send_agreement',
    args: { id: '$agreement.id' },
  }),
  task('fetch the file of an agreement', [3, 1600], upload, agreement, {
    tool: 'download_agreement',
    args: { id: '$agreement.id' },
  }),
  task('send a proposal, after a yes', [3, 1600], proposal, {
    tool: 'send_proposal',
    args: { id: '$proposal.id' },
    agreed: true,
  }),
  task('keep a proposal unsent', [2, 1200], proposal, { tool: 'send_proposal', args: { id: '$proposal.id' } }),
  task(
    'make and change a template',
    [3, 1200],
    template,
    { tool: 'get_template', args: { id: '$template.id' } },
    { tool: 'update_template', args: { id: '$template.id', fields: { name: 'NDA 2' } } },
  ),
  task('delete a template, after a yes', [3, 1200], template, {
    tool: 'delete_template',
    args: { id: '$template.id' },
    agreed: true,
  }),
  task(
    'add a contact and tag it',
    [2, 800],
    { tool: 'create_contact', args: { fields: { email: 'eva@example.com', name: 'Eva' } }, save: 'contact' },
    { tool: 'add_contact_tags', args: { id: '$contact.id', fields: { tags: ['lead'] } } },
  ),
  task(
    'correct the name of a contact',
    [2, 2000],
    { tool: 'list_contacts', args: { limit: 3 }, save: 'contacts' },
    { tool: 'update_contact', args: { id: '$contacts.items.0.id', fields: { name: 'New name' } } },
  ),
  task('read the totals of a link', [2, 2000], links, {
    tool: 'get_link_analytics',
    args: { id: '$links.items.0.id' },
  }),
  task('report who viewed a link', [2, 8000], links, { tool: 'report_link', args: { id: '$links.items.0.id' } }),
  task(
    'read the metrics of a room',
    [2, 2500],
    { tool: 'list_rooms', args: { limit: 3 }, save: 'rooms' },
    { tool: 'get_room_analytics', args: { id: '$rooms.items.0.id' } },
  ),
  task(
    'register a webhook and remove it, after a yes each',
    [4, 2000],
    {
      tool: 'create_webhook',
      args: { url: 'https://example.com/hook', events: ['link.viewed'] },
      save: 'hook',
      agreed: true,
    },
    { tool: 'delete_webhook', args: { id: '$hook.id' }, agreed: true },
  ),
  task(
    'read plan, usage and invoices',
    [3, 2500],
    { tool: 'get_subscription' },
    { tool: 'get_usage' },
    { tool: 'list_invoices', args: { limit: 3 } },
  ),
  task(
    'go on to the second page of documents',
    [2, 2500],
    { tool: 'list_documents', args: { limit: 2 }, save: 'docs' },
    { tool: 'list_documents', args: { limit: 2, cursor: '$docs.next_cursor' } },
  ),
  task(
    'find a deck by a word of its name and share it',
    [2, 2500],
    { tool: 'find', args: { text: 'deck', groups: ['documents'] }, save: 'found' },
    { tool: 'share_document', args: { document_id: '$found.items.0.id' } },
  ),
  task('find one thing over all groups by its id', [2, 1500], room, { tool: 'find', args: { text: '$room.id' } }),
  task(
    'find a contact by e-mail in another case and tag it',
    [3, 1500],
    { tool: 'create_contact', args: { fields: { email: 'Find.Me@example.com', name: 'Fínd Me' } } },
    { tool: 'list_contacts', args: { match: 'FIND.me@', limit: 2 }, save: 'found' },
    { tool: 'add_contact_tags', args: { id: '$found.items.0.id', fields: { tags: ['found'] } } },
  ),
  task(
    'narrow agreements to those of a time, page by page',
    [2, 3000],
    { tool: 'list_agreements', args: { since: '2020-01-01', limit: 2 }, save: 'first' },
    { tool: 'list_agreements', args: { cursor: '$first.next_cursor', limit: 2 } },
  ),
  task('find nothing, and know that all was read', [1, 600], {
    tool: 'list_templates',
    args: { match: 'no template has this name' },
  }),
  task(
    'send a found proposal only after a yes',
    [4, 2500],
    proposal,
    { tool: 'find', args: { text: '$proposal.id', groups: ['proposals'] }, save: 'found' },
    { tool: 'send_proposal', args: { id: '$found.items.0.id' }, agreed: true },
  ),
  task('see what a new address behind a link would mean, and leave it', [3, 1600], upload, link, {
    tool: 'update_link',
    args: { id: '$link.id', fields: { expires_at: '2999-01-01' } },
  }),
  task(
    'see what deleting a found link would mean, and leave it',
    [4, 2000],
    upload,
    link,
    { tool: 'find', args: { text: '$link.id', groups: ['links'] }, save: 'found' },
    { tool: 'delete_link', args: { id: '$found.items.0.id' } },
  ),
  task(
    'share a new file by name in one call, and report on its link',
    [3, 2000],
    upload,
    { tool: 'share_document', args: { document_id: '$doc.id' }, save: 'shared' },
    { tool: 'report_link', args: { id: '$shared.id' } },
  ),
  task('share with everybody in one call, after a yes', [3, 1500], upload, {
    tool: 'share_document',
    args: { document_id: '$doc.id', email_required: false },
    agreed: true,
  }),
  task('know what is left of the limit before a long job', [1, 500], { tool: 'whoami' }),
];
