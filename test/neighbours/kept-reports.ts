import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { TrialReport } from './trial.ts';

/** One trial, and when it was made. */
export interface KeptReport extends TrialReport {
  readonly at: string;
  readonly seconds: number;
}

/** The reports of a table that is made in several runs: in a file, or only in memory. */
export class KeptReports {
  readonly #file: string | undefined;
  readonly #seconds: number;
  readonly #reports: KeptReport[];

  /** Throws where the file holds trials of another length, which are not to be compared. */
  constructor(file: string | undefined, seconds: number) {
    this.#file = file;
    this.#seconds = seconds;
    // Our own file.
    this.#reports = file && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KeptReport[]) : [];
    const other = this.#reports.find((report) => report.seconds !== seconds);
    if (other) throw new Error(`${file} holds trials of ${other.seconds} s, these are of ${seconds} s`);
  }

  get all(): readonly TrialReport[] {
    return this.#reports;
  }

  of(name: string): TrialReport | undefined {
    return this.#reports.find(({ attack }) => attack.name === name);
  }

  add(report: TrialReport): void {
    this.#reports.push({ ...report, at: new Date().toISOString(), seconds: this.#seconds });
    if (this.#file === undefined) return;
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#reports, null, 1)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}
