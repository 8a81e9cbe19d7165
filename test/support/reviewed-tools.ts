import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

/** Names of all tools, from their reviewed snapshots. */
export const REVIEWED_TOOLS = readdirSync(new URL('../mcp/__snapshots__/tools', import.meta.url)).map((file) =>
  basename(file, '.json'),
);
