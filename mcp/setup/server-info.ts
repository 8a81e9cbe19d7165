/**
 * Name, description and settings of the server, from which host entries, links, commands, the `.mcpb`,
 * `server.json` and the plugin are generated.
 */
export const serverInfo = {
  name: 'docshare',
  title: 'Docshare',
  package: 'docshare-mcp',
  /** Registries allow at most 100 characters. */
  description: 'Share documents, build data rooms, send agreements and see who viewed what. Asks before acting.',
  license: 'MIT',
  author: 'The Docshare authors',
  keywords: ['documents', 'sharing', 'data room', 'e-signature', 'analytics'],
  settings: {
    baseUrl: {
      env: 'DOCSHARE_BASE_URL',
      title: 'Base URL',
      description: 'URL of your Docshare API, ending in /api/v1',
      placeholder: 'https://your-docshare-host/api/v1',
    },
    apiKey: {
      env: 'DOCSHARE_API_KEY',
      title: 'API key',
      description: 'API key from Settings → API keys in Docshare',
      placeholder: 'YOUR_KEY',
    },
    files: { option: '--files', title: 'Folders', description: 'Folder that files may be uploaded from and saved to' },
  },
} as const;
