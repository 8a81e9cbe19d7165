/** Generates the replacement of `mcp/toolset/tool-definitions.ts` in a build: its value as JSON. */
export async function generateListedModule(): Promise<string> {
  const { toolDefinitions } = await import('../mcp/toolset/tool-definitions.ts');
  // JSON.parse is faster than the same value as JavaScript.
  return `export const toolDefinitions = JSON.parse(${JSON.stringify(JSON.stringify(toolDefinitions))});\n`;
}
