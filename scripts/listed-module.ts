/** What the build puts in the place of `mcp/toolset/tool-definitions.ts`: its value. */
export async function generateListedModule(): Promise<string> {
  const { toolDefinitions } = await import('../mcp/toolset/tool-definitions.ts');
  // Parsed faster than the same written as JavaScript.
  return `export const toolDefinitions = JSON.parse(${JSON.stringify(JSON.stringify(toolDefinitions))});\n`;
}
