import type { ReadStream } from 'node:tty';
import { AppError } from '../platform/errors.ts';

/** Far beyond any password. */
const LONGEST_INPUT = 4096;

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * The password of `--password`: `-` reads a line from standard input, no value asks at a terminal. One that stands on the
 * command line is taken, with a warning: every user of the machine can read it there.
 */
export async function readPassword(given: string | true, { input, output }: Terminal): Promise<string> {
  if (given === '-' || (given === true && !input.isTTY)) return firstLine(input);
  if (given === true) return ask(input as ReadStream, output); // a terminal, as was asked
  output.write('A password on the command line can be read by every user of this machine: use `--password -`.\n');
  return given;
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > LONGEST_INPUT) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw new AppError('invalid_request', 'password: nothing came from standard input.');
  return line;
}

const ENTER = ['\r', '\n', '\u0004'];
const BACKSPACE = ['\u007f', '\b'];

/** Nothing of it is shown. */
function ask(input: ReadStream, output: NodeJS.WritableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const end = (finish: () => void) => {
      input.setRawMode(false).off('data', take).pause();
      output.write('\n');
      finish();
    };
    const take = (chunk: Buffer) => {
      for (const character of chunk.toString('utf8')) {
        if (character === '\u0003')
          return end(() => reject(new AppError('invalid_request', 'password: was not given.')));
        if (ENTER.includes(character)) return end(() => resolve(text));
        if (BACKSPACE.includes(character)) text = [...text].slice(0, -1).join('');
        else if (text.length < LONGEST_INPUT) text += character;
      }
    };
    output.write('Password: ');
    input.setRawMode(true).on('data', take).resume();
  });
}
