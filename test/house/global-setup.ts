import type { TestProject } from 'vitest/node';
import { openClusterDesk } from './cluster-desk.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address at which test files ask for a database of their own. */
    clusterDesk: string;
  }
}

/** Runs once, before and after all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const desk = await openClusterDesk();
  project.provide('clusterDesk', desk.url);
  return () => desk.close();
}
