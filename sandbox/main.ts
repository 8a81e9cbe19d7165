#!/usr/bin/env node
const { runSandbox } = await import('./run-sandbox.ts');
await runSandbox(process.argv.slice(2));

export {};
