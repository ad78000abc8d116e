#!/usr/bin/env node
import { onUsableNode } from '@ocr-router/server/dist/platform/node-version.js';

await onUsableNode(async () => {
  const { run } = await import('./run.ts');
  await run(process.argv);
});
