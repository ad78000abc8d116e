/** Where programs, their libraries and their data are; nothing that is secret. */
const PROGRAM_VARIABLES = ['PATH', 'LANG', 'TESSDATA_PREFIX', 'LD_LIBRARY_PATH', 'SystemRoot', 'PATHEXT'];

/** What other programs get of the environment: how they are found, and no more. */
export function programEnvOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.entries(env).filter(([name]) => PROGRAM_VARIABLES.some((known) => sameVariable(known, name)));
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
}

/** Windows writes `Path`. */
function sameVariable(a: string, b: string): boolean {
  return process.platform === 'win32' ? a.toLowerCase() === b.toLowerCase() : a === b;
}
