import { spawn, spawnSync } from 'node:child_process';

/** Why the installed program cannot be measured; null when it can. */
export function missingTesseract(): string | null {
  const { error, status } = spawnSync('tesseract', ['--version']);
  return error || status !== 0 ? 'there is no tesseract program on the PATH' : null;
}

/** Reads picture files with the tesseract program and nothing around it, so many at once; the texts in order. */
export async function readBare(files: readonly string[], atOnce: number): Promise<string[]> {
  const texts: string[] = [];
  const waiting = files.entries();
  const readOn = async () => {
    for (const [index, file] of waiting) texts[index] = await tesseract(file);
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
  return texts;
}

function tesseract(file: string): Promise<string> {
  return new Promise((done, failed) => {
    const env = { PATH: process.env['PATH'], OMP_THREAD_LIMIT: '1' };
    const child = spawn('tesseract', [file, 'stdout', '--dpi', '300'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('error', failed);
    child.on('close', (code) => (code === 0 ? done(text) : failed(new Error(`tesseract ended with ${code}`))));
  });
}
