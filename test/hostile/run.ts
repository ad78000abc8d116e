import { spawnSync } from 'node:child_process';

/** `npm run test:hostile`: the mutated requests of `npm test`, 10,000 of them, from a seed of one's own or another one each time. */
const seed = process.env['HOSTILE_SEED'] ?? String(Date.now() % 1_000_000_000);
const each = process.env['HOSTILE_COUNT'] ?? '3334';
console.log(`seed ${seed}: ${each} each over HTTP, sockets and REST`);
const { status } = spawnSync('vitest', ['run', 'test/hostile/mutated-operations.test.ts', '--test-timeout=3600000'], {
  stdio: 'inherit',
  env: { ...process.env, HOSTILE_SEED: seed, HOSTILE_COUNT: each },
});
process.exitCode = status ?? 1;
