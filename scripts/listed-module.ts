/** What the build puts in the place of `mcp/menu/listed.ts`: its value. */
export async function generateListedModule(): Promise<string> {
  const { toolDefinitions } = await import('../mcp/menu/listed.ts');
  // Parsed faster than the same written as JavaScript.
  return `export const listed = JSON.parse(${JSON.stringify(JSON.stringify(toolDefinitions))});\n`;
}
