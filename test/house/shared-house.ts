import { inject } from 'vitest';
import { House, openHouse } from './house.ts';

/** Outlives the files that use it. */
class SharedHouse extends House {
  override async [Symbol.asyncDispose](): Promise<void> {}
}

let opened: Promise<House> | undefined;

/**
 * The usual house (`openHouse()`), one for all files of a process that ask for it: a start costs more than most of their
 * tests. For files that look at what is their own accounts' and leave the product as they found it; it ends with the run.
 */
export async function sharedHouse(): Promise<House> {
  opened ??= open();
  const house = await opened;
  house.engines.reset();
  return house;
}

async function open(): Promise<House> {
  const house = await openHouse();
  await fetch(new URL('left', inject('clusterDesk')), { method: 'POST', body: String(house.product.pid) });
  return new SharedHouse(house);
}
