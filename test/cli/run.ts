import { spawnSync } from 'node:child_process';

/** `npm run test:folder`, on a built product: the folder of `npm test` with 500 files, whose run is killed five times. */
const { FOLDER_SEED = String(Date.now() % 1_000_000), FOLDER_FILES = '500', FOLDER_KILLS = '5' } = process.env;
console.log(`FOLDER_SEED=${FOLDER_SEED}: ${FOLDER_FILES} files, killed ${FOLDER_KILLS} times`);
const { status } = spawnSync('vitest', ['run', 'test/cli/killed-run.test.ts', '--maxWorkers=1'], {
  stdio: 'inherit',
  env: { ...process.env, FOLDER_SEED, FOLDER_FILES, FOLDER_KILLS },
});
process.exitCode = status ?? 1;
