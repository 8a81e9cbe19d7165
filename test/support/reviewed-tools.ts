import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

/** The names of all tools, each as it was reviewed. */
export const REVIEWED_TOOLS = readdirSync(new URL('../mcp/__snapshots__/tools', import.meta.url)).map((file) =>
  basename(file, '.json'),
);
