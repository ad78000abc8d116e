#!/usr/bin/env node
// `exec` for the npm scripts on Windows, whose shell has none: runs the command and ends with it. Elsewhere the shell's
// own `exec` comes first, and npm's child is then the service itself, which gets the signals that npm passes on.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const child = spawn(command === 'node' ? process.execPath : command, args, { stdio: 'inherit' });
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name));
child.on('exit', (code) => process.exit(code ?? 1));
