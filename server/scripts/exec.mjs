#!/usr/bin/env node
// `exec` for the npm scripts on Windows, whose shell has none: runs the command and ends with it, with variables of the environment that
// `env` names before it. Elsewhere the shell's own `exec` comes first, and npm's child is then the service itself, which gets
// the signals that npm passes on.
import { spawn } from 'node:child_process';

const given = process.argv.slice(2);
const end = given[0] === 'env' ? given.findIndex((word, at) => at > 0 && !word.includes('=')) : 0;
const named = Object.fromEntries(
  given.slice(1, end).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
);
const [command, ...args] = given.slice(end);
const child = spawn(command === 'node' ? process.execPath : command, args, {
  stdio: 'inherit',
  env: { ...process.env, ...named },
});
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name));
child.on('exit', (code) => process.exit(code ?? 1));
