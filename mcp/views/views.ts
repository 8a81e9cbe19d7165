/** The views that hosts may show beside an answer (MCP Apps, protocol 2026-01-26). */
export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';
export const VIEW_EXTENSION_ID = 'io.modelcontextprotocol/ui';

export type ViewName = 'reading' | 'pick' | 'board' | 'confirm';

export interface ViewDefinition {
  readonly name: ViewName;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  /** The tools that it shows the answers of; `confirm` shows those of every act that asks first. */
  readonly tools: readonly string[];
}

export const views: readonly ViewDefinition[] = [
  {
    name: 'reading',
    uri: 'ui://reading',
    title: 'Who read what',
    description: 'Visitors by pages, and where they leave.',
    tools: ['report_link', 'get_room_analytics', 'get_visit'],
  },
  {
    name: 'pick',
    uri: 'ui://pick',
    title: 'Pick one',
    description: 'A list to search and pick from.',
    tools: ['find', 'list_documents', 'list_contacts'],
  },
  {
    name: 'board',
    uri: 'ui://board',
    title: 'Agreements',
    description: 'Drafts, sent, viewed and signed.',
    tools: ['list_agreements'],
  },
  {
    name: 'confirm',
    uri: 'ui://confirm',
    title: 'Confirm',
    description: 'What will happen, with a person’s own buttons.',
    tools: [],
  },
];

export function findView(tool: string): ViewDefinition | undefined {
  return views.find(({ tools }) => tools.includes(tool));
}
