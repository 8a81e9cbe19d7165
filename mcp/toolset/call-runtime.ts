/** What the first call of a tool loads: the tools, what checks and records calls, and zod. */
export { callTool } from '../call/call-tool.ts';
export { findTool } from './find-tool.ts';
