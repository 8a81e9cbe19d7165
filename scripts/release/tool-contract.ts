import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** Names, schemas and annotations of all tools, from the snapshot of the tests. */
export const TOOL_CONTRACT = 'test/mcp/__snapshots__/tools';

/** Returns the hash that stands in the tag of a release: it changes with any tool. */
export function hashToolContract(): string {
  const contract = execFileSync('git', ['ls-files', '--stage', TOOL_CONTRACT], { encoding: 'utf8' }).trim();
  return `sha256:${createHash('sha256').update(contract).digest('hex')}`;
}
