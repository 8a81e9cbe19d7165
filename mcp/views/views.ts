/** Views that hosts may show with a result (MCP Apps, protocol 2026-01-26). */
export const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';
export const VIEW_EXTENSION_ID = 'io.modelcontextprotocol/ui';

export type ViewName = 'reading' | 'pick' | 'board' | 'confirm';

export interface ViewDefinition {
  readonly name: ViewName;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  /** Tools whose results it shows; `confirm` shows confirmation requests of any tool. */
  readonly tools: readonly string[];
}

export const views: readonly ViewDefinition[] = [
  {
    name: 'reading',
    uri: 'ui://reading',
    title: 'Viewing report',
    description: 'Views per page and visitor.',
    tools: ['report_link', 'get_room_analytics', 'get_visit'],
  },
  {
    name: 'pick',
    uri: 'ui://pick',
    title: 'Select an item',
    description: 'A searchable list to select from.',
    tools: ['find', 'list_documents', 'list_contacts'],
  },
  {
    name: 'board',
    uri: 'ui://board',
    title: 'Agreements',
    description: 'Agreements by status.',
    tools: ['list_agreements'],
  },
  {
    name: 'confirm',
    uri: 'ui://confirm',
    title: 'Confirmation',
    description: 'Shows an action for the user to approve or deny.',
    tools: [],
  },
];

export function findView(tool: string): ViewDefinition | undefined {
  return views.find(({ tools }) => tools.includes(tool));
}
