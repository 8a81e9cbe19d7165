/** Inner parts of the MCP server for tests, so that moving or renaming one changes this file only. */
export { createLog } from '../../mcp/audit/log.ts';
export { createClaimsEncryptor } from '../../mcp/hosted/oauth/claims-encryptor.ts';
export { createLocalConfirmationPages } from '../../mcp/pages/local-confirmation-page.ts';
export { createMemoryState } from '../../mcp/state/memory-state.ts';
export { type SharedState, type StateStatus, StateUnavailableError } from '../../mcp/state/shared-state.ts';
export { createStateProvider } from '../../mcp/state/state-provider.ts';
export { ToolError } from '../../mcp/tool-error.ts';
export { tools } from '../../mcp/tools/index.ts';
export { toolDefinitions } from '../../mcp/toolset/tool-definitions.ts';
