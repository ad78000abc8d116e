#!/usr/bin/env node
import { onUsableNode } from '@ocr-router/server/dist/platform/node-version.js';

await onUsableNode(async () => {
  const { run } = await import('./run.ts');
  const { exactArguments } = await import('./paths/own-arguments.ts');
  await run(exactArguments(process.argv));
});
