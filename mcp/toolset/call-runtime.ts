/** Loaded on the first tool call: the tools, call handling and zod. */
export { callTool } from '../call/call-tool.ts';
export { findTool } from './find-tool.ts';
