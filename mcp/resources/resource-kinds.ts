export interface ResourceKind {
  readonly group: 'documents' | 'links' | 'rooms' | 'agreements' | 'templates';
  readonly title: string;
  readonly description: string;
  /** The tool that reads the same; where it is not on the menu, neither is the resource. */
  readonly tool: string;
}

/** What can be attached to a conversation by its id. */
export const resourceKinds: readonly ResourceKind[] = [
  {
    group: 'documents',
    title: 'Document',
    description: 'The metadata of a document.',
    tool: 'list_documents',
  },
  { group: 'links', title: 'Link', description: 'A share link and its gates.', tool: 'list_links' },
  { group: 'rooms', title: 'Room', description: 'A gated room.', tool: 'list_rooms' },
  {
    group: 'agreements',
    title: 'Agreement',
    description: 'An agreement, its state and recipients.',
    tool: 'list_agreements',
  },
  { group: 'templates', title: 'Template', description: 'An agreement template.', tool: 'list_templates' },
];

export function getUriTemplate({ group }: ResourceKind): string {
  return `docshare://${group}/{id}`;
}
