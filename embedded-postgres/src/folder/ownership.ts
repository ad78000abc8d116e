import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../system/error-code.ts';
import { runningProcess } from '../system/running-process.ts';

const Owner = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string(),
  /** A command is short: others wait for its end. */
  kind: z.enum(['server', 'command']),
  released: z.boolean(),
});
export type Owner = Readonly<z.infer<typeof Owner>>;

export interface Ownership {
  release(): void;
}

export type Claim = { readonly ownership: Ownership } | { readonly heldBy: Owner };

/**
 * Makes this process the one owner of the folder's database, unless a living process is.
 *
 * Each owner has its own file with the next number, made by linking, which only one process can do. A file is never
 * removed while it is the last one, also not at release: so no number is given twice, and a process that looked a
 * moment too early fails to link, or finds a higher number and withdraws.
 */
export function claimOwnership(dataDir: string, kind: Owner['kind']): Claim {
  const own: Owner = { pid: process.pid, startedAt: startOf(process.pid), kind, released: false };
  for (;;) {
    const last = lastNumber(dataDir);
    const owner = last === 0 ? null : readOwner(dataDir, last);
    if (owner && isLiving(owner)) return { heldBy: owner };
    const number = last + 1;
    if (!linkOwner(dataDir, number, own)) continue;
    if (lastNumber(dataDir) > number) {
      rmSync(fileOf(dataDir, number), { force: true });
      continue;
    }
    for (const old of numbers(dataDir)) if (old < number) rmSync(fileOf(dataDir, old), { force: true });
    return { ownership: { release: () => replaceOwner(dataDir, number, { ...own, released: true }) } };
  }
}

function isLiving(owner: Owner): boolean {
  return !owner.released && runningProcess(owner.pid)?.startedAt === owner.startedAt;
}

function startOf(pid: number): string {
  return runningProcess(pid)?.startedAt ?? '';
}

const PREFIX = 'postgres-owner.';

function fileOf(dataDir: string, number: number): string {
  return join(dataDir, `${PREFIX}${number}.json`);
}

function numbers(dataDir: string): number[] {
  return readdirSync(dataDir)
    .map((name) => (name.startsWith(PREFIX) ? /^(\d+)\.json$/.exec(name.slice(PREFIX.length)) : null))
    .map((match) => Number(match?.[1] ?? 0))
    .filter((number) => number > 0);
}

function lastNumber(dataDir: string): number {
  return Math.max(0, ...numbers(dataDir));
}

/** Null when the file is gone or cut off by a power failure: both mean that its owner is dead. */
function readOwner(dataDir: string, number: number): Owner | null {
  try {
    return Owner.parse(JSON.parse(readFileSync(fileOf(dataDir, number), 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw error;
    return null;
  }
}

function linkOwner(dataDir: string, number: number, owner: Owner): boolean {
  const draft = writeDraft(dataDir, owner);
  try {
    linkSync(draft, fileOf(dataDir, number));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replaceOwner(dataDir: string, number: number, owner: Owner): void {
  renameSync(writeDraft(dataDir, owner), fileOf(dataDir, number));
}

function writeDraft(dataDir: string, owner: Owner): string {
  const draft = join(dataDir, `${PREFIX}${randomUUID()}.draft`);
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o644 });
  return draft;
}
