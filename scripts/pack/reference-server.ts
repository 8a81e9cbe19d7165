/** The fastest known MCP server, used for comparison. */
export const REFERENCE_SERVER = {
  name: 'server-filesystem',
  spec: '@modelcontextprotocol/server-filesystem@2026.8.31',
  main: 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
} as const;
