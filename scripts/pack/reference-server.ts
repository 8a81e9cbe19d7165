/** The quickest of the known MCP servers, which ours is measured beside. */
export const REFERENCE_SERVER = {
  name: 'server-filesystem',
  spec: '@modelcontextprotocol/server-filesystem@2026.8.31',
  main: 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
} as const;
