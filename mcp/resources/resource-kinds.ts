export interface ResourceKind {
  readonly group: 'documents' | 'links' | 'rooms' | 'agreements' | 'templates';
  readonly title: string;
  readonly description: string;
  /** The resource is only offered together with this tool. */
  readonly tool: string;
}

/** Resources that can be attached to a conversation by id. */
export const resourceKinds: readonly ResourceKind[] = [
  { group: 'documents', title: 'Document', description: 'Metadata of a document.', tool: 'list_documents' },
  { group: 'links', title: 'Link', description: 'A share link with its access settings.', tool: 'list_links' },
  { group: 'rooms', title: 'Room', description: 'A data room.', tool: 'list_rooms' },
  {
    group: 'agreements',
    title: 'Agreement',
    description: 'An agreement with its status and recipients.',
    tool: 'list_agreements',
  },
  { group: 'templates', title: 'Template', description: 'An agreement template.', tool: 'list_templates' },
];

export function getUriTemplate({ group }: ResourceKind): string {
  return `docshare://${group}/{id}`;
}
